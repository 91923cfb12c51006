/// The `qw` command.
module dev.quickwater.cli {
  requires dev.quickwater.system;
  requires dev.quickwater.web;
  requires static transitive org.jspecify;

  uses dev.quickwater.channel.spi.TransportProvider;
}
