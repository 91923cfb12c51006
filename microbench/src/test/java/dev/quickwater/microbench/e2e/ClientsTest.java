package dev.quickwater.microbench.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.microbench.command.UsageException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClientsTest {

  @Test
  void sampleIsReadFromTheLineOfTheClient() throws IOException {
    ClientSample sample =
        ClientSample.parse(
            "WARNING: noise\nresponses=200000 seconds=2.000000 cpu=1.500000 allocated=100000000\n");
    assertEquals(7.5, sample.cpu());
    assertEquals(100_000, sample.perSecond());
    assertEquals(500, sample.allocated());
  }

  @Test
  void clientWithoutResponsesIsAnError() {
    assertThrows(
        IOException.class,
        () -> ClientSample.parse("responses=0 seconds=2.000000 cpu=1.500000 allocated=1"));
    assertThrows(IOException.class, () -> ClientSample.parse("a connection ended"));
  }

  @Test
  void variantsAndLoadsFollowTheVersion() {
    assertEquals(
        List.of(
            ClientVariant.QUICKWATER_POOL,
            ClientVariant.QUICKWATER_CONNECTION,
            ClientVariant.NETTY_CODEC,
            ClientVariant.NETTY_CODEC_UNSAFE,
            ClientVariant.JDK),
        ClientsOptions.parse(List.of()).variants());
    assertTrue(
        ClientsOptions.parse(List.of("--http2")).variants().stream()
            .noneMatch(variant -> variant == ClientVariant.JDK));
    assertThrows(
        UsageException.class,
        () -> ClientsOptions.parse(List.of("--http2", "--variants", "netty-codec")));
    assertThrows(UsageException.class, () -> ClientsOptions.parse(List.of("--loads", "16x32")));
  }
}
