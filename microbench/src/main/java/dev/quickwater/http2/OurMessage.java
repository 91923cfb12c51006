package dev.quickwater.http2;

import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.HeaderField;
import dev.quickwater.http2.FieldName.Pseudo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The fields of a message as our engine has them: pseudo-header fields and header fields.
public final class OurMessage {

  private final List<Pseudo> names = new ArrayList<>();
  private final List<byte[]> values = new ArrayList<>();
  private final HttpHeaders headers;

  /// A message with these fields in their order.
  ///
  /// @param sensitive no table may hold the fields
  public OurMessage(List<Map.Entry<String, String>> fields, boolean sensitive) {
    List<HeaderField> more = new ArrayList<>();
    for (Map.Entry<String, String> field : fields) {
      String name = field.getKey();
      byte[] value = field.getValue().getBytes(StandardCharsets.ISO_8859_1);
      if (name.startsWith(":")) {
        names.add(Pseudo.valueOf(name.substring(1).toUpperCase(Locale.ROOT)));
        values.add(value);
      } else {
        more.add(new HeaderField(HeaderName.of(name), value, sensitive));
      }
    }
    headers = HttpHeaders.ofFields(EngineAccess.GRANTED, more.toArray(HeaderField[]::new));
  }

  int pseudoCount() {
    return names.size();
  }

  Pseudo pseudo(int index) {
    return names.get(index);
  }

  byte[] pseudoValue(int index) {
    return values.get(index);
  }

  HttpHeaders headers() {
    return headers;
  }
}
