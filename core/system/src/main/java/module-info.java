/// The only module of Quickwater that calls restricted methods: raw memory and the foreign linker.
///
/// The module has no API for applications, and every export is qualified. The name of this module
/// in `--enable-native-access` is therefore all that a user adds.
module dev.quickwater.system {
  requires static transitive org.jspecify;

  exports dev.quickwater.system to
      dev.quickwater.common,
      dev.quickwater.buffer,
      dev.quickwater.channel,
      dev.quickwater.io.posix,
      dev.quickwater.io.linux,
      dev.quickwater.tls,
      dev.quickwater.web,
      dev.quickwater.cli;
}
