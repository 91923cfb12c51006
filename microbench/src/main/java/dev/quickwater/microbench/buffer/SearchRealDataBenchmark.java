package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.buffer.search.ByteSearch;
import dev.quickwater.buffer.search.Needle;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.search.AbstractMultiSearchProcessorFactory;
import io.netty.buffer.search.AbstractSearchProcessorFactory;
import io.netty.buffer.search.SearchProcessorFactory;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// How long does it take to count the places of words in English text?
///
/// The text is the preamble of the Universal Declaration of Human Rights, which is in the public
/// domain, over and over to 16 KiB. Letters are as frequent as in English, so that needles begin
/// often and fail soon, other than in random bytes.
public class SearchRealDataBenchmark extends PairedBenchmark {

  private static final int SIZE = 16 << 10;

  private static final String TEXT =
      """
      Whereas recognition of the inherent dignity and of the equal and inalienable rights of all
      members of the human family is the foundation of freedom, justice and peace in the world,
      Whereas disregard and contempt for human rights have resulted in barbarous acts which have
      outraged the conscience of mankind, and the advent of a world in which human beings shall
      enjoy freedom of speech and belief and freedom from fear and want has been proclaimed as the
      highest aspiration of the common people,
      Whereas it is essential, if man is not to be compelled to have recourse, as a last resort, to
      rebellion against tyranny and oppression, that human rights should be protected by the rule
      of law,
      """;

  private final byte[] word = "freedom".getBytes(StandardCharsets.US_ASCII);
  private final byte[] second = "rights".getBytes(StandardCharsets.US_ASCII);
  private final byte[] third = "tyranny".getBytes(StandardCharsets.US_ASCII);

  private final Needle ourKmp = Needle.knuthMorrisPratt(word);
  private final Needle ourShiftOr = Needle.shiftOr(word);
  private final Needle ourMany = Needle.ahoCorasick(word, second, third);
  private final SearchProcessorFactory theirKmp =
      AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(word);
  private final SearchProcessorFactory theirShiftOr =
      AbstractSearchProcessorFactory.newBitapSearchProcessorFactory(word);
  private final SearchProcessorFactory theirMany =
      AbstractMultiSearchProcessorFactory.newAhoCorasicSearchProcessorFactory(word, second, third);

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final io.netty.buffer.ByteBuf theirs = ByteBufAllocator.DEFAULT.directBuffer(SIZE);

  public SearchRealDataBenchmark() {
    allocator.attach();
    ours = allocator.allocate(SIZE);
  }

  @Setup
  public void write() {
    byte[] text =
        TEXT.repeat(SIZE / TEXT.length() + 1)
            .substring(0, SIZE)
            .getBytes(StandardCharsets.US_ASCII);
    ours.writeBytes(text);
    theirs.writeBytes(text);
    if (quickwaterKmp() != nettyKmp() || quickwaterAhoCorasick() != nettyAhoCorasick()) {
      throw new IllegalStateException("the sides found different numbers of words");
    }
  }

  @TearDown
  public void release() {
    ours.release();
    theirs.release();
    allocator.detach();
  }

  private int count(Needle compiled) {
    ByteSearch search = compiled.search();
    int count = 0;
    for (int at = 0; (at = search.find(ours, at, SIZE)) >= 0; count++) {}
    return count;
  }

  private int count(SearchProcessorFactory compiled) {
    var search = compiled.newSearchProcessor();
    int count = 0;
    for (int at = 0; (at = theirs.forEachByte(at, SIZE - at, search)) >= 0; at++) {
      count++;
    }
    return count;
  }

  @Benchmark
  public int quickwaterKmp() {
    return count(ourKmp);
  }

  @Benchmark
  public int nettyKmp() {
    return count(theirKmp);
  }

  @Benchmark
  public int quickwaterShiftOr() {
    return count(ourShiftOr);
  }

  @Benchmark
  public int nettyShiftOr() {
    return count(theirShiftOr);
  }

  @Benchmark
  public int quickwaterAhoCorasick() {
    return count(ourMany);
  }

  @Benchmark
  public int nettyAhoCorasick() {
    return count(theirMany);
  }
}
