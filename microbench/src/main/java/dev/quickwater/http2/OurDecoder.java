package dev.quickwater.http2;

import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.HeaderField;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Blackhole;

/// Our decoder of header blocks.
public final class OurDecoder {

  private static final class Counter implements FieldSink {
    private final Blackhole hole;

    Counter(Blackhole hole) {
      this.hole = hole;
    }

    @Override
    public void field(TableEntry entry) {
      hole.consume(entry);
    }
  }

  /// Collects the fields in a new array, of the length of the previous block. Stores into a new
  /// array need no memory fence of the garbage collector.
  private static final class Collector implements FieldSink {
    private static final int MAX_OCTETS = 1 << 20;

    private HeaderField[] fields = {};
    private int count;
    private int octets;

    void begin() {
      fields = new HeaderField[count];
      count = 0;
      octets = 0;
    }

    @Override
    public void field(TableEntry entry) {
      octets += entry.size();
      if (octets > MAX_OCTETS) {
        throw new IllegalStateException("the fields are too large");
      }
      @Nullable HeaderField field = entry.field();
      if (field == null) {
        return;
      }
      if (count == fields.length) {
        fields = Arrays.copyOf(fields, Math.max(12, 2 * count));
      }
      fields[count++] = field;
    }

    HttpHeaders take() {
      HeaderField[] taken = count == fields.length ? fields : Arrays.copyOf(fields, count);
      return HttpHeaders.ofFields(EngineAccess.GRANTED, taken);
    }
  }

  private final HpackDecoder decoder;
  private final Collector collector = new Collector();

  /// A new connection.
  public OurDecoder(int tableSize) {
    decoder = new HpackDecoder(tableSize);
  }

  /// Decodes a block without keeping its fields.
  public void consume(byte[] block, Blackhole hole) throws Exception {
    decoder.decode(block, 0, block.length, new Counter(hole));
  }

  /// Decodes a block into headers, as the engine does.
  public HttpHeaders decode(byte[] block) throws Exception {
    collector.begin();
    decoder.decode(block, 0, block.length, collector);
    return collector.take();
  }
}
