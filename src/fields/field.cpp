#include <sparse/fields/field.hpp>

namespace sparse {

template class Field<float, 2>;
template class Field<float, 3>;
template class Field<double, 2>;
template class Field<double, 3>;

}  // namespace sparse
