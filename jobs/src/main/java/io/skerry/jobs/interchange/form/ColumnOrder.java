package io.skerry.jobs.interchange.form;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Visits the defined elements of a matrix column by column. The matrix is read in bands of columns.
 * A band ends at a chunk boundary where possible; wide chunks are divided, and narrow chunks are
 * joined. The defined elements of a band are sorted in memory.
 */
final class ColumnOrder {
  /** The maximum number of elements in a band, defined or not, unless a single column has more. */
  private static final long MAX_ELEMENTS = 1 << 24;

  /** The maximum number of bytes of values in a band, unless it is a single column. */
  private static final long MAX_BYTES = 1 << 30;

  private final ElementView view;

  ColumnOrder(ElementView view) {
    this.view = view;
  }

  void forEach(ElementSink sink) {
    long[] extent = view.extent();
    int column = view.kept().get(1);
    List<Long> chunk = view.dataset().storage().chunk();
    long start = view.pattern().startAt(column);
    long stride = view.pattern().strideAt(column);
    long width = chunk.isEmpty() ? 64 : chunk.get(column);
    long elements = Math.min(MAX_ELEMENTS, MAX_BYTES / view.dataset().datatype().size());
    long most = Math.clamp(elements / Math.max(1, extent[0]), 1, Math.max(1, extent[1]));
    for (long from = 0; from < extent[1]; ) {
      long place = start + from * stride;
      long chunkEnd = (place / width + 1) * width;
      long to = Math.min(extent[1], Math.ceilDiv(chunkEnd - start, stride));
      // Narrow chunks are joined until the band has at least half of its maximum width.
      while (to < extent[1] && to - from < most / 2) {
        to = Math.min(extent[1], to + Math.max(1, width / stride));
      }
      to = Math.min(to, from + most);
      band(from, to, sink);
      from = to;
    }
  }

  private void band(long from, long to, ElementSink sink) {
    if (to - from == 1) {
      // A single column can have more elements than fit into an array; they are already in order.
      view.forEach(1, from, to, sink);
      return;
    }
    List<Entries> parts = new ArrayList<>();
    int[] counts = new int[(int) (to - from) + 1];
    view.forEach(
        1,
        from,
        to,
        entries -> {
          parts.add(
              new Entries(
                  2,
                  entries.coordinates().clone(),
                  MemorySegment.ofArray(entries.values().toArray(ValueLayout.JAVA_BYTE))));
          for (int i = 0; i < entries.count(); i++) {
            counts[(int) (entries.at(i, 1) - from) + 1]++;
          }
        });
    Arrays.parallelPrefix(counts, Integer::sum);
    int total = counts[counts.length - 1];
    int size = view.dataset().datatype().size();
    long[] coordinates = new long[2 * total];
    MemorySegment values = MemorySegment.ofArray(new byte[total * size]);
    for (Entries part : parts) {
      for (int i = 0; i < part.count(); i++) {
        int place = counts[(int) (part.at(i, 1) - from)]++;
        coordinates[2 * place] = part.at(i, 0);
        coordinates[2 * place + 1] = part.at(i, 1);
        MemorySegment.copy(part.values(), (long) i * size, values, (long) place * size, size);
      }
    }
    for (int at = 0; at < total; at += Entries.MOST) {
      int n = Math.min(Entries.MOST, total - at);
      sink.accept(
          new Entries(
              2,
              Arrays.copyOfRange(coordinates, 2 * at, 2 * (at + n)),
              values.asSlice((long) at * size, (long) n * size)));
    }
  }
}
