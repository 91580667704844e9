# What all code of ours is compiled with.
add_library(headway_build_flags INTERFACE)
target_compile_features(headway_build_flags INTERFACE cxx_std_20)
target_compile_definitions(headway_build_flags INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
    QT_NO_CONTEXTLESS_CONNECT QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
    QT_NO_FOREACH QT_NO_JAVA_STYLE_ITERATORS QT_NO_KEYWORDS QT_USE_QSTRINGBUILDER QT_STRICT_ITERATORS
    QT_DISABLE_DEPRECATED_BEFORE=0x060400
    HEADWAY_VERSION="${PROJECT_VERSION}")
# GCC 12 warns of overlapping copies in std::string's operator+ when it inlines it (bug 105651): the
# warning is false, and nothing of ours calls memcpy. Without optimisation it says nothing.
target_compile_options(headway_build_flags INTERFACE
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<NOT:$<CONFIG:Debug>>>:-Wno-restrict>)
target_compile_options(headway_build_flags INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wsign-conversion;-Wold-style-cast;-Wnon-virtual-dtor;-Woverloaded-virtual;-Wcast-qual;-Wextra-semi;-Wimplicit-fallthrough>
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>,$<BOOL:${HEADWAY_WARNINGS_AS_ERRORS}>>:-Werror>)
