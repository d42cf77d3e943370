#pragma once
/// The whole core: sets, plans and fields.

#include <sparse/assemble.hpp>
#include <sparse/boundary.hpp>
#include <sparse/components.hpp>
#include <sparse/context.hpp>
#include <sparse/field.hpp>
#include <sparse/field_algebra.hpp>
#include <sparse/for_each.hpp>
#include <sparse/grid.hpp>
#include <sparse/hysteresis.hpp>
#include <sparse/morphology.hpp>
#include <sparse/physical_shapes.hpp>
#include <sparse/polygon.hpp>
#include <sparse/random.hpp>
#include <sparse/scaling.hpp>
#include <sparse/select.hpp>
#include <sparse/set_algebra.hpp>
#include <sparse/shapes.hpp>
#include <sparse/signed_distance.hpp>
#include <sparse/stencil.hpp>
#include <sparse/subset.hpp>
#include <sparse/transfer.hpp>
#include <sparse/transform.hpp>
#include <sparse/triangle_mesh.hpp>
#include <sparse/version.hpp>
