// fmt's compiled half, as a static library of our own: Debian ships it as a shared one only, which every
// start would have to load, and its header-only form costs each source file several seconds of compilation.
#include <fmt/format-inl.h>

namespace fmt {
inline namespace v9 {
namespace detail {

template dragonbox::decimal_fp<float> dragonbox::to_decimal(float);
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double);

template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
template void buffer<char>::append(const char*, const char*);

} // namespace detail
} // namespace v9
} // namespace fmt
