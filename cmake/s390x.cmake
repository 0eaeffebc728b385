# s390x, the big-endian machine of the tests: clang with Debian's cross libraries, run by qemu. (GCC's cross
# compilers can't be installed beside gcc-multilib, which the 32-bit build needs.)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_FLAGS_INIT "--target=s390x-linux-gnu -O1")
set(CMAKE_OBJCOPY s390x-linux-gnu-objcopy)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_IGNORE_PATH /usr/lib/x86_64-linux-gnu /lib/x86_64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L /usr/s390x-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} /nowhere)
set(WEIR_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/s390x/usr) # from script/foreign-cmocka
set(CMOCKA_INCLUDE ${WEIR_SYSROOT}/include CACHE PATH "")
set(CMOCKA_LIBRARY ${WEIR_SYSROOT}/lib/s390x-linux-gnu/libcmocka.so.0 CACHE FILEPATH "")
