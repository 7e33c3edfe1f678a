package io.skerry.chunk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.chunk.format.VariableChunkFormat;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.VariableLength;
import java.util.Collections;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class VariableChunkMemoryTest {
  private static final int ELEMENTS = 1_000;
  private static final VariableLength TEXT = VariableLength.string(CharacterSet.UTF8);

  private static long growth(ChunkFormat format) {
    RunSet one = RunSet.range(0, ELEMENTS);
    RunSet many = RunSet.ofIndices(LongStream.range(0, ELEMENTS).map(i -> 2 * i).toArray());
    return bytes(format, many) - bytes(format, one);
  }

  private static long bytes(ChunkFormat format, RunSet elements) {
    var texts = VariableChunkGoldenTest.texts(TEXT, Collections.nCopies(ELEMENTS, ""));
    long size = format.datatype() instanceof VariableLength ? texts.byteSize() : 16L * ELEMENTS;
    return format.write(format.newChunk(), elements, texts.asSlice(0, size)).bytes();
  }

  @Test
  void a_run_takes_as_much_memory_as_in_a_sparse_chunk_of_fixed_size_elements() {
    long[] shape = {2 * ELEMENTS};
    assertEquals(
        growth(SparseChunkFormat.of(shape, new Opaque(16, ""))),
        growth(VariableChunkFormat.of(shape, TEXT, Long.BYTES)));
  }
}
