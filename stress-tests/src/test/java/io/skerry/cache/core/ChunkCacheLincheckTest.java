package io.skerry.cache.core;

import io.skerry.stress.Linearizability;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Tests that requests to a {@link ChunkCache} with two chunks are linearizable. */
class ChunkCacheLincheckTest {
  @Test
  void requests_are_linearizable() {
    Linearizability.checkRuns(Operations.class, Model.class);
  }

  @Param(name = "index", gen = IntGen.class, conf = "0:1")
  @Param(name = "number", gen = IntGen.class, conf = "1:9")
  public static class Operations {
    private final TwoChunks chunks = new TwoChunks();

    @Operation
    public int read(@Param(name = "index") int index) {
      return chunks.read(index);
    }

    @Operation
    public int readBoth() {
      return chunks.readBoth();
    }

    @Operation
    public void set(@Param(name = "index") int index, @Param(name = "number") int number) {
      chunks.set(index, number);
    }

    @Operation
    public void add(@Param(name = "index") int index, @Param(name = "number") int number) {
      chunks.add(index, number);
    }

    @Operation
    public void addToBoth(@Param(name = "number") int number) {
      chunks.addToBoth(number);
    }

    @Operation
    public void evict() {
      chunks.evict();
    }
  }

  /** The sequential model of the operations. */
  public static class Model {
    private final int[] numbers = new int[2];

    public int read(int index) {
      return numbers[index];
    }

    public int readBoth() {
      return numbers[0] + 1000 * numbers[1];
    }

    public void set(int index, int number) {
      numbers[index] = number;
    }

    public void add(int index, int number) {
      numbers[index] += number;
    }

    public void addToBoth(int number) {
      numbers[0] += number;
      numbers[1] += number;
    }

    public void evict() {}
  }
}
