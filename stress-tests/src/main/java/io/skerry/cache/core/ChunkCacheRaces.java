package io.skerry.cache.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Races of two threads that read, write, store or evict the same chunks of a {@link ChunkCache}. In
 * a new {@link TwoChunks}, both numbers are 0 and stored.
 */
public final class ChunkCacheRaces {
  private ChunkCacheRaces() {}

  @JCStressTest
  @Outcome(id = "2, 2, 0", expect = ACCEPTABLE, desc = "both are there and stored")
  @Outcome(expect = FORBIDDEN, desc = "a write is lost, or a sum is wrong")
  @State
  public static class WriteAndWrite {
    private final TwoChunks chunks = new TwoChunks();

    @Actor
    public void one() {
      chunks.add(0, 1);
    }

    @Actor
    public void two() {
      chunks.add(0, 1);
    }

    @Arbiter
    public void end(III_Result r) {
      ChunkCacheRaces.end(chunks, r);
    }
  }

  /** The cache must not mistake the version being stored for the version that was just written. */
  @JCStressTest
  @Outcome(id = "2, 2, 0", expect = ACCEPTABLE, desc = "both are there and stored")
  @Outcome(expect = FORBIDDEN, desc = "a write is lost, or a sum is wrong")
  @State
  public static class WriteAndEviction {
    private final TwoChunks chunks = new TwoChunks();

    public WriteAndEviction() {
      chunks.add(0, 1);
    }

    @Actor
    public void write() {
      chunks.add(0, 1);
    }

    @Actor
    public void evict() {
      chunks.evict();
    }

    @Arbiter
    public void end(III_Result r) {
      ChunkCacheRaces.end(chunks, r);
    }
  }

  @JCStressTest
  @Outcome(id = "2, 2, 0", expect = ACCEPTABLE, desc = "both are there and stored")
  @Outcome(expect = FORBIDDEN, desc = "a write is lost, or a sum is wrong")
  @State
  public static class WriteAndEvictionOfACopy {
    private final TwoChunks chunks = new TwoChunks();

    public WriteAndEvictionOfACopy() {
      chunks.publish(0, 1);
      chunks.evict();
      chunks.offerCopy(0);
    }

    @Actor
    public void write() {
      chunks.add(0, 1);
    }

    @Actor
    public void forget() {
      chunks.forgetCopy(0);
    }

    @Arbiter
    public void end(III_Result r) {
      ChunkCacheRaces.end(chunks, r);
    }
  }

  @JCStressTest
  @Outcome(id = "7, 7, 1", expect = ACCEPTABLE, desc = "loaded once for both")
  @Outcome(expect = FORBIDDEN, desc = "wrong, or loaded twice")
  @State
  public static class TwoMisses {
    private final TwoChunks chunks = new TwoChunks();

    public TwoMisses() {
      chunks.set(0, 7);
      chunks.evict();
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = chunks.read(0);
    }

    @Actor
    public void two(III_Result r) {
      r.r2 = chunks.read(0);
    }

    @Arbiter
    public void count(III_Result r) {
      r.r3 = chunks.loads();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0", "1001"},
      expect = ACCEPTABLE,
      desc = "before or after the write")
  @Outcome(expect = FORBIDDEN, desc = "in the middle of it")
  @State
  public static class ReadAndWriteOfBoth {
    private final TwoChunks chunks = new TwoChunks();

    public ReadAndWriteOfBoth() {
      chunks.readBoth();
    }

    @Actor
    public void write() {
      chunks.addToBoth(1);
    }

    @Actor
    public void read(I_Result r) {
      r.r1 = chunks.readBoth();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "in the order of the versions")
  @Outcome(
      id = {"-1, 0", "-1, 1", "0, -1", "1, -1", "-1, -1"},
      expect = ACCEPTABLE,
      desc = "a writer was there")
  @Outcome(expect = FORBIDDEN, desc = "back in time")
  @State
  public static class TwoReadsWithoutALock {
    private final TwoChunks chunks = new TwoChunks();

    public TwoReadsWithoutALock() {
      chunks.readBoth();
    }

    @Actor
    public void write() {
      chunks.addToBoth(1);
    }

    @Actor
    public void peek(II_Result r) {
      r.r1 = chunks.peek(0).orElse(-1);
      r.r2 = chunks.peek(1).orElse(-1);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0", "1001"},
      expect = ACCEPTABLE,
      desc = "both versions before the write, or both after it")
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "a writer was there")
  @Outcome(expect = FORBIDDEN, desc = "half of a write")
  @State
  public static class ReadOfBothWithoutALock {
    private final TwoChunks chunks = new TwoChunks();

    public ReadOfBothWithoutALock() {
      chunks.readBoth();
    }

    @Actor
    public void write() {
      chunks.addToBoth(1);
    }

    @Actor
    public void peek(I_Result r) {
      r.r1 = chunks.peekBoth().orElse(-1);
    }
  }

  @JCStressTest
  @Outcome(id = "5, 5, 0", expect = ACCEPTABLE, desc = "what was published stays")
  @Outcome(expect = FORBIDDEN, desc = "overwritten by what was stored")
  @State
  public static class CopyAndNewVersion {
    private final TwoChunks chunks = new TwoChunks();

    @Actor
    public void offer() {
      chunks.offerCopy(0);
    }

    @Actor
    public void publish() {
      chunks.publish(0, 5);
    }

    @Arbiter
    public void end(III_Result r) {
      ChunkCacheRaces.end(chunks, r);
    }
  }

  private static void end(TwoChunks chunks, III_Result r) {
    r.r1 = chunks.read(0);
    chunks.evict();
    r.r2 = chunks.stored(0);
    r.r3 = chunks.left();
  }
}
