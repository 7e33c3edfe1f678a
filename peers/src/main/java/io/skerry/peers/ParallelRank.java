package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Mpi;
import io.skerry.mpi.Reduction;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * The program of one rank on Skerry's side of {@link ParallelBenchmark}; its arguments are {@code
 * TASK FILE VALUES MIB RUNS}. Rank 0 prints one line for each run: the time in seconds until the
 * call has returned on all ranks, the time in seconds until the file is closed (for a read, the
 * same time as the first), and the sum of the values that were read (0 for a write).
 */
public final class ParallelRank {
  private final ParallelTask task;
  private final Path file;
  private final long rows;
  private final Communicator world;
  private final MemorySegment values;
  private final Selection share;

  private ParallelRank(ParallelTask task, Path file, long rows, Communicator world, Arena arena) {
    this.task = task;
    this.file = file;
    this.rows = rows;
    this.world = world;
    long mine = task.rows(world.rank(), world.size(), rows);
    this.values = arena.allocate(mine * ParallelTask.COLUMNS * Float.BYTES, 64);
    this.share =
        Selection.at(task.firstRow(world.rank(), world.size(), rows), 0)
            .extent(mine, ParallelTask.COLUMNS);
  }

  /** Runs one rank under {@code mpirun}. */
  public static void main(String[] args) throws IOException {
    ParallelTask task = ParallelTask.named(args[0]);
    long rows = Long.parseLong(args[3]) * ParallelTask.CHUNK_ROWS;
    try (Mpi mpi = Mpi.start();
        Arena arena = Arena.ofShared()) {
      ParallelRank rank = new ParallelRank(task, Path.of(args[1]), rows, mpi.world(), arena);
      rank.load(Path.of(args[2]));
      for (int run = 0; run < Integer.parseInt(args[4]); run++) {
        rank.run();
      }
    }
  }

  private void load(Path source) throws IOException {
    long first = task.firstRow(world.rank(), world.size(), rows);
    try (FileChannel channel = FileChannel.open(source, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      long start = first * ParallelTask.COLUMNS * Float.BYTES;
      values.copyFrom(channel.map(FileChannel.MapMode.READ_ONLY, start, values.byteSize(), arena));
    }
  }

  private void run() {
    long[] times =
        switch (task.way()) {
          case WRITE -> write();
          case READ -> read();
        };
    long sum = task.way() == ParallelTask.Way.READ ? sum() : 0;
    if (world.rank() == 0) {
      System.out.printf(Locale.ROOT, "%.6f %.6f %d%n", times[0] / 1e9, times[1] / 1e9, sum);
    }
  }

  private long[] write() {
    DatasetSpec plain =
        DatasetSpec.of(Datatype.F32, Shape.of(rows, ParallelTask.COLUMNS))
            .chunked(ParallelTask.CHUNK_ROWS, ParallelTask.COLUMNS);
    DatasetSpec spec =
        switch (task.storage()) {
          case PLAIN -> plain;
          case DEFLATE -> plain.filters(Filters.shuffle(), Filters.deflate(1));
        };
    H5File open = H5File.create(file, world);
    long start;
    long written;
    try (open) {
      Dataset dataset = open.createDataset("d", spec);
      world.barrier();
      start = System.nanoTime();
      dataset.write(share, Datatype.F32, values);
      world.barrier();
      written = System.nanoTime();
    }
    world.barrier();
    return new long[] {written - start, System.nanoTime() - start};
  }

  private long[] read() {
    long start;
    long got;
    try (H5File open = H5File.open(file, world)) {
      Dataset dataset = open.dataset("d");
      values.fill((byte) 0);
      world.barrier();
      start = System.nanoTime();
      dataset.read(share, Datatype.F32, values);
      world.barrier();
      got = System.nanoTime();
    }
    return new long[] {got - start, got - start};
  }

  /** Returns the sum over all ranks of the values read; the values are integers. */
  private long sum() {
    long sum = 0;
    for (long at = 0; at < values.byteSize(); at += Float.BYTES) {
      sum += (long) values.get(ValueLayout.JAVA_FLOAT, at);
    }
    return world.allReduce(sum, Reduction.SUM);
  }
}
