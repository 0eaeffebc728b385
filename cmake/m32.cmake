# 32-bit x86 on a 64-bit x86 machine. Libraries of the 64-bit side must not be found.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER gcc)
set(CMAKE_C_FLAGS_INIT "-m32 -O1")
set(CMAKE_IGNORE_PATH /usr/lib/x86_64-linux-gnu /lib/x86_64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} /nowhere)
set(WEIR_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/i386/usr) # from script/foreign-cmocka
set(CMOCKA_INCLUDE ${WEIR_SYSROOT}/include CACHE PATH "")
set(CMOCKA_LIBRARY ${WEIR_SYSROOT}/lib/i386-linux-gnu/libcmocka.so.0 CACHE FILEPATH "")
