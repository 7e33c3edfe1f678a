package io.skerry.integration.matrix;

import io.skerry.DatasetWrite;
import io.skerry.H5File;
import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.integration.matrix.pattern.CollectiveStep;
import io.skerry.integration.matrix.pattern.Scenario;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.integration.randomprogram.SingleWrite;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs a case: writes and reads a file as the direction of the case prescribes, and finally reads
 * and verifies the file in one process. All results are compared with a plain array. Collective.
 */
public final class CaseRun {
  private final Communicator world;
  private final MatrixCase which;
  private final Path path;
  private final Scenario scenario;
  private final List<DatasetUnderTest> subjects;

  /** Prepares a case on the ranks of a communicator, in a new file. */
  public CaseRun(Communicator world, MatrixCase which, Path path) {
    this.world = world;
    this.which = which;
    this.path = path;
    this.scenario = which.access().scenario(world.size());
    List<Storing> storages = which.storages();
    this.subjects =
        IntStream.range(0, storages.size())
            .mapToObj(i -> new DatasetUnderTest(i, storages.get(i), which.access(), scenario))
            .toList();
  }

  /**
   * Runs the case.
   *
   * @return the content that other libraries must find in the file, equal on all ranks
   * @throws AssertionError if a result differs from the expected one
   */
  public List<ExpectedArray> run() {
    if (which.direction().writesTogether()) {
      writeTogether();
    } else {
      writeAlone();
    }
    world.barrier();
    read();
    world.barrier();
    if (world.rank() == 0) {
      finish();
    }
    world.barrier();
    return subjects.stream()
        .filter(subject -> subject.storing().isForAll())
        .flatMap(subject -> ExpectedArray.of(subject, path).stream())
        .toList();
  }

  private FileOptions options() {
    return FileOptions.standard().withWorkers(1).withWriteMode(which.mode().mode());
  }

  /** Writes the file in parallel: each rank executes its part of every step. */
  private void writeTogether() {
    boolean looks = which.direction() == Direction.WRITE;
    try (H5File file = H5File.create(path, world, options())) {
      subjects.forEach(subject -> subject.create(file));
      for (CollectiveStep round : scenario.rounds()) {
        play(file, round, List.of(world.rank()));
        if (looks) {
          String when = "after " + round.getClass().getSimpleName();
          compareOwn(file, when);
        }
      }
      if (looks) {
        file.flush();
        compareOwn(file, "after the last flush");
      }
    }
  }

  /** Writes the file on rank 0, one part after another; other ranks only record the writes. */
  private void writeAlone() {
    if (world.rank() == 0) {
      try (H5File file = H5File.create(path, Communicator.self(), options())) {
        subjects.forEach(subject -> subject.create(file));
        List<Integer> all = IntStream.range(0, world.size()).boxed().toList();
        scenario.rounds().forEach(round -> play(file, round, all));
      }
    } else {
      scenario.rounds().forEach(this::expect);
    }
  }

  /** Executes a step for the given ranks, and records the step for all ranks. */
  private void play(H5File file, CollectiveStep round, List<Integer> parts) {
    switch (round) {
      case CollectiveStep.Write write -> {
        for (int part : parts) {
          List<DatasetWrite> writes =
              subjects.stream().map(subject -> subject.write(file, write, part)).toList();
          write(file, writes);
        }
        expect(round);
      }
      case CollectiveStep.Resize(long[] extent) ->
          subjects.forEach(subject -> subject.resize(file, extent));
      case CollectiveStep.Flush _ -> file.flush();
    }
  }

  private void write(H5File file, List<DatasetWrite> writes) {
    if (which.datasets() == DatasetCount.SEVERAL) {
      file.writeAll(writes);
      return;
    }
    writes.forEach(SingleWrite::apply);
  }

  private void expect(CollectiveStep round) {
    switch (round) {
      case CollectiveStep.Write write -> subjects.forEach(subject -> subject.written(write));
      case CollectiveStep.Resize(long[] extent) ->
          subjects.forEach(subject -> subject.expected().resize(extent));
      case CollectiveStep.Flush _ -> {}
    }
  }

  private void read() {
    switch (which.direction()) {
      case WRITE -> {}
      case READ -> {
        try (H5File file = H5File.open(path, world, options())) {
          compareOwn(file, "read by its rank");
        }
      }
      case SERIAL_TO_PARALLEL -> {
        try (H5File file = H5File.open(path, world, options())) {
          compareAll(file, "read by all ranks");
        }
      }
      case PARALLEL_TO_SERIAL -> {
        if (world.rank() == 0) {
          try (H5File file = H5File.open(path)) {
            for (int rank = 0; rank < world.size(); rank++) {
              comparePart(file, rank, "part of rank " + rank + " read alone");
            }
          }
        }
      }
    }
  }

  private void compareOwn(H5File file, String when) {
    comparePart(file, world.rank(), when);
  }

  private void comparePart(H5File file, int rank, String when) {
    for (DatasetUnderTest subject : subjects) {
      subject.compare(file, inside(subject, rank), when);
    }
  }

  /**
   * Returns the last selection that a rank writes, or all elements while the extent is not yet
   * final.
   */
  private PickedElements inside(DatasetUnderTest subject, int rank) {
    long[] extent = subject.expected().extent();
    PickedElements pick = subject.part(scenario.lastPicks(), rank);
    return Arrays.equals(extent, scenario.lastExtent()) ? pick : SelectionGenerator.all(extent);
  }

  private void compareAll(H5File file, String when) {
    for (DatasetUnderTest subject : subjects) {
      subject.compare(file, SelectionGenerator.all(subject.expected().extent()), when);
    }
  }

  /** Reads and verifies the whole file in one process. */
  private void finish() {
    try (H5File file = H5File.open(path)) {
      compareAll(file, "opened again by one process");
    }
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport report = Verification.of(path, findings::add);
    if (!findings.isEmpty()) {
      throw new AssertionError("verification: expected=[] actual=" + findings);
    }
    if (report.objects() != subjects.size() + 1) {
      throw new AssertionError(
          "objects verified: expected=" + (subjects.size() + 1) + " actual=" + report.objects());
    }
  }
}
