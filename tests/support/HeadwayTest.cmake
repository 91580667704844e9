# headway_add_test(tst_name SOURCES … LINK targets… [LABEL core] [TIMEOUT 60] [ENVIRONMENT …])
# One program, one CTest entry. The source is <name>.cpp unless SOURCES says otherwise.

# What .ci/run builds with the sanitizers: whatever touches a socket.
add_custom_target(sanitized_tests)

function(headway_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT" "SOURCES;LINK;ENVIRONMENT")
    if(NOT arg_SOURCES)
        set(arg_SOURCES ${name}.cpp)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 60)
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE Qt6::Test ${arg_LINK} headway_build_flags)
    add_test(NAME ${name} COMMAND ${name})
    if(arg_LABEL MATCHES "^(net|engine)$")
        add_dependencies(sanitized_tests ${name})
    endif()
    set_tests_properties(${name} PROPERTIES
        LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT}
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;XDG_RUNTIME_DIR=/tmp;QT_LOGGING_RULES=qt.qpa.*=false;${arg_ENVIRONMENT}")
endfunction()
