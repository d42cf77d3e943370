/// What profilers show of the core.

#include <support/reference.hpp>
#include <support/tools.hpp>
#include <support/tour.hpp>

namespace {

template <class Dimension>
class Labels : public testing::Test {};
TYPED_TEST_SUITE(Labels, reference::Dimensions);

}  // namespace

TYPED_TEST(Labels, OfAllKernelsNameTopicAndStep) {
  KokkosWatch const watch;
  for (int step = 0; step < 8; ++step) tour_the_core<TypeParam::value>(step);
  auto const labels = watch.kernel_labels();
  EXPECT_TRUE(follow_the_label_rule(labels));
  // The tour comes by every source file that launches kernels.
  for (std::string const topic : {"assemble", "components", "crossings", "field", "gather", "interval_set", "locate",
                                  "morphology", "operators", "parallel", "plan", "random", "sample", "scaling",
                                  "select", "set_algebra", "shapes", "transfer", "transform"}) {
    auto const first = labels.lower_bound("sparse::" + topic + "::");
    EXPECT_TRUE(first != labels.end() && first->rfind("sparse::" + topic + "::", 0) == 0) << topic;
  }
}

TEST(LabelRule, NoticesLabelsThatBreakIt) {
  EXPECT_TRUE(follow_the_label_rule({"sparse::plan::fill", "sparse::set_algebra::union_count2"}));
  for (char const* const label :
       {"", "fill", "sparse::fill", "sparse::plan::", "sparse::plan::fill::rows", "Sparse::plan::fill",
        "sparse::Plan::fill", "sparse::plan::fill rows", "N6sparse4FillE"})
    EXPECT_FALSE(follow_the_label_rule({"sparse::plan::fill", label})) << label;
}
