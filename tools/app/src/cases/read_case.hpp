#pragma once
/// The readers of both kinds of flow.

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/app/cases/gas_case.hpp>

#include "case_reader.hpp"

namespace sparse::app {

inline CaseReader::Kinds const walls_of_flow = {{"no_slip", sparse::BoundaryKind::no_slip},
                                                {"wall", sparse::BoundaryKind::wall}};

/// Reads all tables but [run].
void read_flow_case(TomlTable& file, FlowCase& c);
void read_gas_case(TomlTable& file, GasCase& c);

}  // namespace sparse::app
