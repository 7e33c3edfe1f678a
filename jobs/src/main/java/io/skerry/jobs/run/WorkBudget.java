package io.skerry.jobs.run;

import io.skerry.Dataset;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The elements that one run of a command has worked through, against its limit. */
public final class WorkBudget {
  /** The work for a chunk that is not stored, in bytes of elements. */
  private static final long CHUNK_BYTES = 1 << 10;

  /** The work of a command on an element, in times of that of reading it. */
  public enum Effort {
    /** Elements are read. */
    READ(1),
    /** Elements are read, told apart, filtered and written. */
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
  private long held;
  private double taken;

  /**
   * @param command the name of the command, for errors
   */
  public WorkBudget(WorkLimit limit, String command, Effort effort) {
    this.limit = limit;
    this.command = command;
    this.effort = effort;
  }

  /**
   * Takes the work of going through all elements of a dataset.
   *
   * @throws JobException if that is more than the limit leaves; nothing is taken then
   */
  public void take(Dataset dataset) {
    if (!dataset.isNull()) {
      take(dataset, dataset.shape());
    }
  }

  /**
   * Takes the work of going through a part of a dataset.
   *
   * @param part its shape
   * @throws JobException if that is more than the limit leaves; nothing is taken then
   */
  public void take(Dataset dataset, Shape part) {
    double bytes =
        (double) part.elements() * dataset.datatype().size()
            + (double) chunks(part, dataset.storage().chunk()) * CHUNK_BYTES;
    double work = bytes * effort.times;
    addFile(dataset.file().path(), dataset.file().size());
    dataset.elementFiles().forEach(file -> addFile(file, file.toFile().length()));
    long allowed = limit.allowed(held);
    if (taken + work > allowed) {
      throw new JobException(
          "%s of more elements than the limit of work allows: dataset=%s shape=%s file=%s fileBytes=%d workBytes=%.0f takenBytes=%.0f limitBytes=%d option=--limit"
              .formatted(
                  command,
                  dataset.shownPath(),
                  part,
                  dataset.file().path(),
                  held,
                  work,
                  taken,
                  allowed));
    }
    taken += work;
  }

  private void addFile(Path file, long bytes) {
    if (files.add(file)) {
      held = Math.addExact(held, bytes);
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
