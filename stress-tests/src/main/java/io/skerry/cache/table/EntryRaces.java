package io.skerry.cache.table;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.skerry.cache.EvictionPolicy;
import io.skerry.cache.scheduling.WaitForGraph;
import io.skerry.cache.table.ChunkState.Clean;
import io.skerry.cache.table.ChunkState.Dirty;
import io.skerry.cache.table.ChunkState.Encoded;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Held;
import io.skerry.cache.table.ChunkState.Loading;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * Races of two threads that change the {@link ChunkState} of one {@link Entry}. Version n has 100 n
 * bytes and its image has n bytes, so that an image of the wrong version and wrong sums are
 * detected.
 */
public final class EntryRaces {
  private static final DatasetChunks.Layout LAYOUT =
      new DatasetChunks.Layout(
          800, "/data", Shape.of(1), DenseChunkFormat.of(new long[] {1}, Datatype.U8));

  private EntryRaces() {}

  /** A version of a chunk. Its field is not final, so that unsafe publication is detected. */
  private static final class Version implements MemoryChunk {
    private int number;

    Version(int number) {
      this.number = number;
    }

    @Override
    public long bytes() {
      return 100L * number;
    }

    @Override
    public long definedCount() {
      return 1;
    }
  }

  private static int number(ChunkState state) {
    return state instanceof Held held ? ((Version) held.chunk()).number : 0;
  }

  /** A dataset of one chunk, and the ledger of the chunks in memory. */
  static class OneChunk {
    final Ledger ledger = new Ledger();
    final DatasetChunks dataset =
        new DatasetChunks(
            LAYOUT, new WaitForGraph(), EvictionPolicy.LRU, new Recency(), new Counters());

    /** Returns the entry in the table, or an entry in the state {@link Gone} if there is none. */
    Entry present() {
      return dataset.chunks().get(0);
    }

    Entry enter(ChunkState first) {
      return ledger.enter(new Entry(dataset, 0, first));
    }

    /** Publishes a version as a write does. */
    void write(int number) {
      Dirty next = new Dirty(new Version(number));
      while (true) {
        Entry entry = present();
        ChunkState seen = entry.state();
        if (seen instanceof Gone) {
          Entry mine = new Entry(dataset, 0, next);
          if (ledger.enter(mine) == mine) {
            return;
          }
        } else if (ledger.change(entry, seen, next)) {
          return;
        }
      }
    }

    /** Encodes the present version in advance if it is dirty. */
    void encode() {
      Entry entry = present();
      if (entry.state() instanceof Dirty dirty) {
        long bytes = number(dirty);
        ChunkImage image =
            new ChunkImage(MemorySegment.ofArray(new byte[(int) bytes]), SectionTable.plain(bytes));
        var unused = ledger.change(entry, dirty, new Encoded(dirty.chunk(), Optional.of(image)));
      }
    }

    /** Evicts the chunk if it is clean; returns whether this call has evicted it. */
    boolean evict() {
      Entry entry = present();
      return entry.state() instanceof Clean clean && ledger.change(entry, clean, Gone.INSTANCE);
    }

    /** Returns the sum of the differences between all totals and their expected values. */
    int error() {
      ChunkState state = present().state();
      long bytes = state instanceof Gone ? 0 : Entry.OVERHEAD + state.bytes();
      long unstored = state instanceof ChunkState.Unstored ? bytes : 0;
      long chunks = state instanceof Gone ? 0 : 1;
      return (int)
          (Math.abs(ledger.bytes() - bytes)
              + Math.abs(dataset.bytes() - bytes)
              + Math.abs(ledger.unstored() - unstored)
              + Math.abs(ledger.chunks() - chunks));
    }
  }

  @JCStressTest
  @Outcome(
      id = {"2, 0, 0", "2, 2, 0"},
      expect = ACCEPTABLE,
      desc = "the new version, without an image or with its own")
  @Outcome(expect = FORBIDDEN, desc = "an old image, a lost write, or a wrong sum")
  @State
  public static class WriteAndEncoding extends OneChunk {
    public WriteAndEncoding() {
      write(1);
    }

    @Actor
    public void write() {
      write(2);
    }

    @Actor
    public void encodeAhead() {
      encode();
    }

    @Arbiter
    public void end(III_Result r) {
      ChunkState state = present().state();
      r.r1 = number(state);
      r.r2 =
          state instanceof Encoded encoded
              ? (int) encoded.image().orElseThrow().sections().size()
              : 0;
      r.r3 = error();
    }
  }

  @JCStressTest
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "the new version")
  @Outcome(expect = FORBIDDEN, desc = "a lost write, or a wrong sum")
  @State
  public static class WriteAndEviction extends OneChunk {
    public WriteAndEviction() {
      enter(new Clean(new Version(1)));
    }

    @Actor
    public void write() {
      write(2);
    }

    @Actor
    public void letGo() {
      evict();
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = number(present().state());
      r.r2 = error();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"true, false, 0", "false, true, 0"},
      expect = ACCEPTABLE,
      desc = "evicted once")
  @Outcome(expect = FORBIDDEN, desc = "twice or never, or a wrong sum")
  @State
  public static class TwoEvictions extends OneChunk {
    public TwoEvictions() {
      enter(new Clean(new Version(1)));
    }

    @Actor
    public void one(ZZI_Result r) {
      r.r1 = evict();
    }

    @Actor
    public void two(ZZI_Result r) {
      r.r2 = evict();
    }

    @Arbiter
    public void end(ZZI_Result r) {
      r.r3 = error();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"true, false, 0", "false, true, 0"},
      expect = ACCEPTABLE,
      desc = "one loads")
  @Outcome(expect = FORBIDDEN, desc = "both or nobody, or a wrong sum")
  @State
  public static class TwoClaims extends OneChunk {
    private boolean claim() {
      Entry mine = new Entry(dataset, 0, new Loading());
      return ledger.enter(mine) == mine;
    }

    @Actor
    public void one(ZZI_Result r) {
      r.r1 = claim();
    }

    @Actor
    public void two(ZZI_Result r) {
      r.r2 = claim();
    }

    @Arbiter
    public void end(ZZI_Result r) {
      r.r3 = error();
    }
  }

  /** A load publishes a version; a reader sees either no version or the complete one. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 100", "1, 100"},
      expect = ACCEPTABLE,
      desc = "in the order of the states")
  @Outcome(expect = FORBIDDEN, desc = "half made, or back in time")
  @State
  public static class LoadAndLookup extends OneChunk {
    private final Loading loading = new Loading();
    private final Entry entry = enter(loading);

    @Actor
    public void load() {
      ledger.change(entry, loading, new Clean(new Version(1)));
    }

    @Actor
    public void look(II_Result r) {
      r.r1 = number(present().state());
      r.r2 = (int) present().state().bytes();
    }
  }
}
