package io.skerry.internal.copy.header;

import io.skerry.format.FormatBounds;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.LayoutForm;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.internal.dataset.create.DatasetFilters;
import io.skerry.internal.dataset.open.ChunkedOpener;
import io.skerry.internal.file.NativeFile;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the layout and filter messages of a copy that keeps the chunk shape of the dataset. The
 * chunk index of the copy may be of a different kind.
 */
final class CopiedChunkLayout {
  private static final long MANY_CHUNKS = 1 << 16;

  /**
   * The approximate ratio of the number of bytes that a B-tree needs per stored chunk to the number
   * of bytes that an array index needs per entry.
   */
  private static final long SCATTERED = 16;

  private final NativeFile from;
  private final ObjectHeader old;
  private final ChunkedLayout layout;
  private final Shape shape;
  private final FormatBounds bounds;

  /**
   * Creates an instance for one copy.
   *
   * @param old the object header of the source dataset
   * @param bounds the format version bounds of the copy
   */
  CopiedChunkLayout(
      NativeFile from, ObjectHeader old, ChunkedLayout layout, Shape shape, FormatBounds bounds) {
    this.from = from;
    this.old = old;
    this.layout = layout;
    this.shape = shape;
    this.bounds = bounds;
  }

  /**
   * Returns the messages.
   *
   * @param elementSize the number of bytes of an element of the copy
   */
  List<Message> messages(int elementSize) {
    Filtering filtering = new DatasetFilters(old).filtering(layout);
    List<Message> messages = new ArrayList<>();
    if (layout.form().isStructured()) {
      messages.add(structured(elementSize, filtering));
      old.find(SectionPipelineMessage.class).ifPresent(messages::add);
    } else {
      messages.add(dense(elementSize, filtering));
      old.find(FilterPipelineMessage.class).ifPresent(messages::add);
    }
    return messages;
  }

  private ChunkedLayout structured(int elementSize, Filtering filtering) {
    ChunkedLayout copy =
        layout.form() == LayoutForm.SPARSE_VARIABLE
            ? ChunkedLayout.sparseVariable(shape, layout.chunk(), elementSize, filtering)
            : ChunkedLayout.sparse(shape, layout.chunk(), elementSize, filtering);
    return copy.withEdges(layout.edges());
  }

  /**
   * Returns the layout of dense chunks. All layout versions except the earliest can leave edge
   * chunks unfiltered.
   */
  private ChunkedLayout dense(int elementSize, Filtering filtering) {
    return switch (isScattered() ? FormatBounds.EARLIEST : bounds) {
      case EARLIEST -> ChunkedLayout.earliest(shape, layout.chunk(), elementSize);
      case V110 ->
          ChunkedLayout.dense(shape, layout.chunk(), elementSize, filtering)
              .withEdges(layout.edges());
      case V200 ->
          ChunkedLayout.newest(shape, layout.chunk(), elementSize, filtering)
              .withEdges(layout.edges());
    };
  }

  /**
   * Returns whether the copy should use a version 1 B-tree: partial edge chunks are filtered, the
   * maximum extent is limited and has many chunks, and so few chunks are stored that the B-tree is
   * smaller than an array index.
   */
  private boolean isScattered() {
    long positions = 1;
    for (int d = 0; d < shape.rank(); d++) {
      if (shape.maximum(d) == Shape.UNLIMITED) {
        return false;
      }
      long along = Math.ceilDiv(shape.maximum(d), layout.chunk().extent(d));
      positions =
          along > 0 && positions > Long.MAX_VALUE / along ? Long.MAX_VALUE : positions * along;
    }
    if (positions < MANY_CHUNKS || layout.edges() != EdgeChunks.FILTERED) {
      return false;
    }
    long[] stored = {0};
    ChunkedOpener.unshared(from, ObjectPath.of("to be copied"), old)
        .index()
        .forEachRecord(from.tree().source(), (_, _) -> stored[0]++);
    return stored[0] < positions / SCATTERED;
  }
}
