# Arrows run only downwards (CONTRIBUTING.md). cmake -DROOT=<tree> -P checkincludes.cmake
cmake_minimum_required(VERSION 3.25)

set(found_any FALSE)

# forbid(<folder> <reason> <regular expression on an include line or a call>)
function(forbid folder reason expression)
    file(GLOB_RECURSE sources ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
    foreach(source IN LISTS sources)
        file(STRINGS ${source} offending REGEX "${expression}")
        if(offending)
            message(SEND_ERROR "${source}: ${reason}: ${offending}")
        endif()
    endforeach()
    if(sources)
        set(found_any TRUE PARENT_SCOPE)
    endif()
endfunction()

set(inc "^ *# *include *[<\"]")
forbid(proxy/core "the core is pure: no Qt, no I/O, no thread, nothing above it"
    "${inc}(Q[A-Za-z]|ui/|app/|proxy/(net|store|engine|simulator)/|iostream|fstream|filesystem|thread|mutex|future|sys/|unistd|openssl/|sqlite)")
forbid(proxy/core "the core never reads a clock, the environment or a global random source"
    "_clock::now|getenv|std::rand|random_device")
forbid(proxy/net "net may use the core only" "${inc}(ui/|app/|proxy/(store|engine|simulator)/)")
forbid(proxy/store "store may use the core only" "${inc}(ui/|app/|proxy/(net|engine|simulator)/)")
forbid(proxy/engine "the engine knows no window and no simulator" "${inc}(ui/|app/|proxy/simulator/|QWidget|QtWidgets|QtCharts)")
forbid(proxy/simulator "the simulator shares no code with what it tests"
    "${inc}(ui/|app/|proxy/(net|store|engine)/|proxy/core/(dialects|heads|pacing|turn|ledger|live|settings)/)")
forbid(ui "the window sees the core's values only" "${inc}(app/|proxy/(net|store|engine|simulator)/)")
foreach(folder proxy ui app)
    # A call; an event dispatcher defines the function.
    forbid(${folder} "events are not processed by hand"
        "(\\.|->|Application::|Loop::)processEvents *\\(")
endforeach()

if(NOT found_any)
    message(SEND_ERROR "nothing to check under ${ROOT}")
endif()
