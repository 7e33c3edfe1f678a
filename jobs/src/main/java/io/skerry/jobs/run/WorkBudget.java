package io.skerry.jobs.run;

import io.skerry.Dataset;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts the work that one run of a command requires and enforces a limit on it. */
public final class WorkBudget {
  /**
   * The work per chunk, stored or not, in addition to the work for its elements, expressed as a
   * number of bytes of elements.
   */
  private static final long CHUNK_BYTES = 1 << 10;

  /** The work of a command per element, as a multiple of the work of reading the element. */
  public enum Effort {
    /** Elements are read. */
    READ(1),
    /** Elements are read, compared, filtered and written. */
    REWRITE(8);

    private final int times;

    Effort(int times) {
      this.times = times;
    }
  }

  private final WorkLimit limit;
  private final String command;
  private final Effort effort;
  private final Set<Path> files = new HashSet<>();
  private long fileBytes;
  private double taken;

  /**
   * Creates an unused budget.
   *
   * @param limit the limit on the size of the elements to process
   * @param command the name of the command, for error messages
   * @param effort the work per element
   */
  public WorkBudget(WorkLimit limit, String command, Effort effort) {
    this.limit = limit;
    this.command = command;
    this.effort = effort;
  }

  /**
   * Counts the work of processing all elements of a dataset.
   *
   * @throws JobException if the work exceeds what remains of the limit, in which case it is not
   *     counted
   */
  public void take(Dataset dataset) {
    if (!dataset.isNull()) {
      take(dataset, dataset.shape());
    }
  }

  /**
   * Counts the work of processing a part of a dataset.
   *
   * @param part the shape of the part
   * @throws JobException if the work exceeds what remains of the limit, in which case it is not
   *     counted
   */
  public void take(Dataset dataset, Shape part) {
    double bytes =
        (double) part.elements() * dataset.datatype().size()
            + (double) chunks(part, dataset.storage().chunk()) * CHUNK_BYTES;
    double work = bytes * effort.times;
    addFile(dataset.file().path(), dataset.file().size());
    dataset.elementFiles().forEach(file -> addFile(file, file.toFile().length()));
    long allowed = limit.allowed(fileBytes);
    if (taken + work > allowed) {
      throw new JobException(
          "%s of more elements than the limit of work allows: dataset=%s shape=%s file=%s fileBytes=%d workBytes=%.0f takenBytes=%.0f limitBytes=%d option=--limit"
              .formatted(
                  command,
                  dataset.shownPath(),
                  part,
                  dataset.file().path(),
                  fileBytes,
                  work,
                  taken,
                  allowed));
    }
    taken += work;
  }

  private void addFile(Path file, long bytes) {
    if (files.add(file)) {
      fileBytes = Math.addExact(fileBytes, bytes);
    }
  }

  private static long chunks(Shape shape, List<Long> chunk) {
    if (chunk.size() != shape.rank() || shape.rank() == 0) {
      return 0;
    }
    ChunkGrid grid = ChunkGrid.of(chunk.stream().mapToLong(Long::longValue).toArray());
    return Shape.of(grid.scaledExtent(shape)).elements();
  }
}
