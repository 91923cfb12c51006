/// Small programs that the guide quotes; each is compiled and run by a test.
module dev.quickwater.examples {
  requires transitive dev.quickwater.channel;
  requires transitive dev.quickwater.web;
  requires static transitive org.jspecify;

  exports dev.quickwater.examples;
}
