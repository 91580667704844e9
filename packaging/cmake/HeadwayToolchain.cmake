# Language level, generated code, and the faster tools where they are installed.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(HEADWAY_CCACHE ccache)
if(HEADWAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${HEADWAY_CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${HEADWAY_CCACHE})
endif()

find_program(HEADWAY_MOLD mold)
if(HEADWAY_MOLD)
    add_link_options(-fuse-ld=mold)
endif()
