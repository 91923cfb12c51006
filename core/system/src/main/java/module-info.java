/// The one module of Quickwater that calls anything restricted: raw memory and the foreign linker.
///
/// Nothing here is API for applications; every export is qualified, so that one name in
/// `--enable-native-access` is all that a user of Quickwater adds.
module dev.quickwater.system {
  requires static transitive org.jspecify;

  exports dev.quickwater.system to
      dev.quickwater.common,
      dev.quickwater.buffer,
      dev.quickwater.channel,
      dev.quickwater.io.posix,
      dev.quickwater.io.linux,
      dev.quickwater.web,
      dev.quickwater.cli;
}
