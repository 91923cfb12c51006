package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpResponse;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients on tlslite-ng that violate TLS, and the alerts that they receive, with each library. The
/// cases are those of the core scripts of tlsfuzzer.
///
/// A violation that our engine finds on an open connection has the alert bad_record_mac, because
/// only the library has the keys ([dev.quickwater.tls.TlsEngine]).
@Tag("full")
final class TlsHostileClientsTest {

  private static final Map<String, String> OPENSSL =
      table(
          """
          hello_record_with_version_5 protocol_version
          hello_record_of_unknown_type unexpected_message
          hello_record_above_the_limit record_overflow
          empty_handshake_records unexpected_message
          truncated_hello decode_error
          truncated_hello_12 decode_error
          bytes_behind_the_extensions decode_error
          session_id_of_33_bytes decode_error
          no_cipher_suites decode_error
          unknown_cipher_suites handshake_failure
          unknown_cipher_suites_12 handshake_failure
          no_null_compression illegal_parameter
          duplicated_extension illegal_parameter
          duplicated_extension_12 illegal_parameter
          extension_longer_than_the_hello decode_error
          no_supported_groups missing_extension
          no_signature_algorithms missing_extension
          unknown_groups handshake_failure
          unknown_groups_12 handshake_failure
          short_key_share illegal_parameter
          empty_key_share decode_error
          zero_key_share illegal_parameter
          point_that_is_not_on_the_curve illegal_parameter
          point_at_infinity illegal_parameter
          only_tls_1_1 protocol_version
          only_ssl_3 handshake_failure
          only_unknown_versions protocol_version
          fallback_to_12 inappropriate_fallback
          host_name_with_nul illegal_parameter
          empty_application_protocols decode_error
          empty_application_protocol decode_error
          data_between_the_parts_of_a_hello unexpected_message
          alert_between_the_parts_of_a_hello unexpected_message
          data_before_the_hello unexpected_message
          data_behind_the_hello_12 unexpected_message
          finished_in_place_of_a_hello unexpected_message
          second_hello_12 unexpected_message
          early_change_cipher_spec_12 unexpected_message
          change_cipher_spec_before_the_hello unexpected_message
          change_cipher_spec_with_another_value closed
          flood_of_change_cipher_specs closed
          flood_of_warnings_in_the_handshake unexpected_message
          point_of_the_client_key_exchange_is_not_on_the_curve illegal_parameter
          empty_client_key_exchange handshake_failure
          finished_without_client_key_exchange unexpected_message
          handshake_message_of_16_mib illegal_parameter
          request_is_answered_12 data
          request_is_answered_13 data
          data_in_plaintext_12 bad_record_mac
          data_in_plaintext_13 bad_record_mac
          alert_in_plaintext_12 internal_error
          alert_in_plaintext_13 unexpected_message
          record_above_the_limit_12 bad_record_mac
          record_above_the_limit_13 bad_record_mac
          content_above_the_limit_12 record_overflow
          content_above_the_limit_13 record_overflow
          record_with_version_5_12 bad_record_mac
          record_with_version_5_13 bad_record_mac
          flood_of_empty_data_12 unexpected_message
          flood_of_empty_data_13 unexpected_message
          flood_of_warnings_12 unexpected_message
          flood_of_warnings_13 unexpected_message
          alert_of_one_byte_12 unexpected_message
          alert_of_one_byte_13 unexpected_message
          two_alerts_in_a_record_12 unexpected_message
          two_alerts_in_a_record_13 unexpected_message
          empty_handshake_record_12 silent
          empty_handshake_record_13 unexpected_message
          second_handshake_12 no_renegotiation
          second_handshake_13 unexpected_message
          unknown_handshake_message_12 unexpected_message
          unknown_handshake_message_13 unexpected_message
          change_cipher_spec_on_an_open_connection_12 unexpected_message
          change_cipher_spec_on_an_open_connection_13 unexpected_message
          flood_of_key_updates_13 bad_record_mac
          key_update_with_another_value_13 illegal_parameter
          key_update_of_two_bytes_13 illegal_parameter
          data_between_the_parts_of_a_message_13 unexpected_message
          key_update_with_bytes_behind_13 unexpected_message
          record_without_content_type_13 unexpected_message
          wrong_finished_12 decrypt_error
          wrong_finished_13 decrypt_error
          request_is_answered_after_all_12 data
          request_is_answered_after_all_13 data
          """);

  /// The answers that differ with the JDK. The JDK sends other alerts for some violations. It
  /// ignores warnings, empty handshake records and messages behind a KeyUpdate; the limits of our
  /// engine apply to them. A record with too much data has no alert.
  private static final Map<String, String> JDK =
      table(
          """
          unknown_groups unexpected_message
          short_key_share internal_error
          zero_key_share internal_error
          point_that_is_not_on_the_curve internal_error
          point_at_infinity internal_error
          only_ssl_3 protocol_version
          flood_of_warnings_in_the_handshake silent
          point_of_the_client_key_exchange_is_not_on_the_curve internal_error
          alert_in_plaintext_12 bad_record_mac
          content_above_the_limit_12 closed
          content_above_the_limit_13 closed
          flood_of_empty_data_12 bad_record_mac
          flood_of_empty_data_13 bad_record_mac
          flood_of_warnings_12 bad_record_mac
          flood_of_warnings_13 bad_record_mac
          alert_of_one_byte_12 illegal_parameter
          alert_of_one_byte_13 illegal_parameter
          two_alerts_in_a_record_12 illegal_parameter
          two_alerts_in_a_record_13 illegal_parameter
          empty_handshake_record_12 closed
          empty_handshake_record_13 bad_record_mac
          second_handshake_12 protocol_version
          second_handshake_13 handshake_failure
          key_update_with_bytes_behind_13 silent
          record_without_content_type_13 bad_record_mac
          """);

  @TempDir private Path dir;

  private static Map<String, String> table(String text) {
    Map<String, String> answers = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", 2);
      answers.put(words[0], words[1]);
    }
    return answers;
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void eachViolationHasItsAlert(TlsLibrary library) throws Exception {
    String missing = Peer.run(dir, "python3", "-c", "import tlslite");
    assertTrue(missing.isEmpty(), "tlslite-ng is missing: pip install tlslite-ng; " + missing);
    Map<String, String> expected = new LinkedHashMap<>(OPENSSL);
    if (library == TlsLibrary.JDK) {
      expected.putAll(JDK);
    }
    Routes routes =
        new Routes().get("/plaintext", x -> x.respond(HttpResponse.text("Hello, World!")));
    try (RunningServer server =
        HttpServer.create(routes)
            .tls(TlsFiles.server(library))
            .listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
      String program = Peer.resource(dir, "tlshostile.py").toString();
      String output = Peer.run(dir, "python3", program, "" + server.port());
      assertEquals(text(expected), text(table(output)));
    }
  }

  private static String text(Map<String, String> answers) {
    StringBuilder text = new StringBuilder();
    answers.forEach((name, answer) -> text.append(name).append(' ').append(answer).append('\n'));
    return text.toString();
  }
}
