package io.skerry.collective.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.wire.Exchange;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the number of bytes of answers that a reader sends together. */
class AnswerQueueTest {
  private static final int CHUNKS = 40;
  private static final int ELEMENTS = 5;

  /** A source whose elements have contents of different lengths. */
  private static final class Source implements SharedAnswers {
    private final int contentBytes;
    private final List<Long> read = new ArrayList<>();
    private int taken;

    Source(int contentBytes) {
      this.contentBytes = contentBytes;
    }

    @Override
    public String key() {
      return "source";
    }

    @Override
    public ChunkGrid grid() {
      return ChunkGrid.of(ELEMENTS);
    }

    @Override
    public Shape extent() {
      return Shape.of(CHUNKS * ELEMENTS);
    }

    @Override
    public int elementSize() {
      return 16;
    }

    @Override
    public List<ChunkSlice> slices() {
      return grid().cut(Selection.at(0).extent(CHUNKS * ELEMENTS), extent());
    }

    @Override
    public void readAlone() {
      throw new AssertionError("another rank needs the chunks");
    }

    @Override
    public Answers read(Selection selection) {
      grid().cut(selection, extent()).forEach(slice -> read.add(slice.scaled()[0]));
      return (_, elements, out) ->
          out.zeros(Math.toIntExact(elements.count() * (elementSize() + contentBytes)));
    }

    @Override
    public void take(int slice, ByteReader answer) {
      assertEquals(ELEMENTS * (elementSize() + contentBytes), answer.remaining());
      taken++;
    }
  }

  @Test
  void answers_exceed_the_limit_by_those_of_one_chunk_at_most() {
    for (int contentBytes : new int[] {0, 10, 1000, 300_000}) {
      for (long most : new long[] {1, 500, 1 << 20}) {
        check(contentBytes, most);
      }
    }
  }

  private static void check(int contentBytes, long most) {
    Source source = new Source(contentBytes);
    SourceChunks<SharedAnswers> chunks = new SourceChunks<>(source);
    AnswerQueue queue = new AnswerQueue(1 << 20);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      RunSet all = RunSet.range(0, ELEMENTS);
      queue.add(new DealtSlices.Question<>(chunks, chunk, all), 1, chunk);
      queue.add(new DealtSlices.Question<>(chunks, chunk, RunSet.range(1, 3)), 2, chunk);
      queue.add(chunks, chunk);
    }
    long element = 16 + contentBytes;
    long ofChunk = (ELEMENTS + 2) * element;
    int steps = 0;
    long sent = 0;
    int answers = 0;
    while (!queue.isEmpty()) {
      Exchange.Outbox outbox = queue.next(most);
      assertTrue(queue.sent() < most + ofChunk, () -> "sent " + queue.sent() + " of " + most);
      answers += count(outbox.to(1), ELEMENTS * element) + count(outbox.to(2), 2 * element);
      sent += queue.sent();
      steps++;
    }
    assertEquals(CHUNKS * ofChunk, sent);
    assertEquals(2 * CHUNKS, answers);
    assertEquals(CHUNKS, source.taken);
    assertEquals(CHUNKS, source.read.size(), "each chunk is read once");
    assertEquals(CHUNKS, source.read.stream().distinct().count(), "each chunk is read");
    assertEquals(Math.ceilDiv(CHUNKS, Math.ceilDiv(most, ofChunk)), steps);
  }

  /** Returns the number of answers in a message, all of which have the given length. */
  private static int count(ByteWriter message, long bytes) {
    ByteReader in = ByteReader.of(message.written(), "answers");
    int count = 0;
    while (in.remaining() > 0) {
      in.skip(4);
      assertEquals(bytes, in.u32());
      in.skip(bytes);
      count++;
    }
    return count;
  }
}
