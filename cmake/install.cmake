# Headers, both libraries, weir.pc, the CMake package, man pages and completions. The command installs itself.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(libraries weir)
if(WEIR_BUILD_SHARED)
    list(APPEND libraries weir_shared)
endif()
install(TARGETS ${libraries} EXPORT weirTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
configure_package_config_file(cmake/weirConfig.cmake.in weirConfig.cmake INSTALL_DESTINATION ${package_dir}
                              NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(weirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT weirTargets NAMESPACE weir:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/weirConfig.cmake ${PROJECT_BINARY_DIR}/weirConfigVersion.cmake
        DESTINATION ${package_dir})

# weir.pc finds its prefix from its own place, so that the tree can be installed or moved anywhere.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
    message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR must be relative to the prefix")
endif()
file(RELATIVE_PATH WEIR_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/weir.pc.in weir.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weir.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(WEIR_BUILD_CLI)
    file(GLOB man_pages CONFIGURE_DEPENDS docs/man/*.1)
    install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES share/completions/weir.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME weir OPTIONAL)
    install(FILES share/completions/_weir DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
endif()
