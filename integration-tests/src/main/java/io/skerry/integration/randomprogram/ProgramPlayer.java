package io.skerry.integration.randomprogram;

import io.skerry.Dataset;
import io.skerry.DatasetWrite;
import io.skerry.H5File;
import io.skerry.integration.random.BoxLoops;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.internal.file.NativeConnector;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Selection;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Executes sessions of a program on one rank, and compares the values read with the model. */
final class ProgramPlayer {
  private final Connector connector;
  private final Communicator ranks;
  private final FileModel model;

  ProgramPlayer(Communicator ranks, FileModel model) {
    this(new NativeConnector(), ranks, model);
  }

  ProgramPlayer(Connector connector, Communicator ranks, FileModel model) {
    this.connector = connector;
    this.ranks = ranks;
    this.model = model;
  }

  /**
   * Opens the file, executes all steps, compares every dataset, and closes the file. Collective.
   */
  void play(RandomProgram.Session session, Path path) {
    try (H5File file = open(session, path)) {
      for (int i = 0; i < session.steps().size(); i++) {
        try {
          play(file, session.steps().get(i));
        } catch (AssertionError e) {
          throw new AssertionError("step " + i + ": " + e.getMessage(), e);
        }
      }
      checkAll(file);
    }
  }

  private H5File open(RandomProgram.Session session, Path path) {
    return switch (session.access()) {
      case CREATE -> Connectors.open(connector, path, FileAccess.CREATE, ranks, session.options());
      case WRITE -> Connectors.open(connector, path, FileAccess.WRITE, ranks, session.options());
      case READ -> Connectors.open(connector, path, FileAccess.READ, ranks, session.options());
    };
  }

  /** Executes a step on the file and the model. Collective. */
  void play(H5File file, ProgramStep step) {
    perform(file, step);
    model.apply(step);
  }

  /** Executes a step on the file only. Collective. */
  void perform(H5File file, ProgramStep step) {
    switch (step) {
      case ProgramStep.Create(DatasetPlan plan) -> file.createDataset(plan.path(), plan.spec());
      case ProgramStep.Write write -> {
        for (int first = 0; first < write.requests().size(); first += ranks.size()) {
          SingleWrite.apply(part(file, write, first + ranks.rank()));
        }
      }
      case ProgramStep.WriteAll(List<ProgramStep.Write> writes) -> writeAll(file, writes);
      case ProgramStep.Erase(int number, List<PickedElements> requests) -> {
        Dataset dataset = dataset(file, number);
        deal(requests, pick -> dataset.erase(pick.selection()));
      }
      case ProgramStep.Extend(int number, long[] extent) -> dataset(file, number).extendTo(extent);
      case ProgramStep.Flush _ -> file.flush();
      case ProgramStep.Read(int number, List<PickedElements> requests) ->
          deal(requests, pick -> compareValues(file, number, pick));
      case ProgramStep.Defined(int number, List<PickedElements> requests) ->
          deal(requests, pick -> compareDefined(file, number, pick));
    }
  }

  /** Makes as many calls as the longest list of requests needs; pads shorter lists with no-ops. */
  private void writeAll(H5File file, List<ProgramStep.Write> writes) {
    int longest = writes.stream().mapToInt(write -> write.requests().size()).max().orElse(0);
    for (int first = 0; first < longest; first += ranks.size()) {
      int mine = first + ranks.rank();
      file.writeAll(writes.stream().map(write -> part(file, write, mine)).toList());
    }
  }

  private DatasetWrite part(H5File file, ProgramStep.Write write, int request) {
    Dataset dataset = dataset(file, write.dataset());
    if (request >= write.requests().size()) {
      return DatasetWrite.nothing(dataset);
    }
    return model
        .dataset(write.dataset())
        .plan()
        .element()
        .write(
            dataset,
            write.requests().get(request).selection(),
            write.values(request),
            write.salt() + request);
  }

  /** A call that a rank makes with its part of a step. */
  @FunctionalInterface
  private interface Call {
    void make(PickedElements pick);
  }

  /**
   * Distributes requests over the ranks, so that a later request is either on a higher rank of the
   * same call or in a later call than an earlier request. In both cases the later request takes
   * precedence, for any number of ranks.
   */
  private void deal(List<PickedElements> requests, Call call) {
    for (int first = 0; first < requests.size(); first += ranks.size()) {
      int mine = first + ranks.rank();
      call.make(mine < requests.size() ? requests.get(mine) : PickedElements.NOTHING);
    }
  }

  /**
   * Compares every dataset with the model: its extent, and all elements or, if the dataset is
   * large, a random box. Collective.
   */
  void checkAll(H5File file) {
    for (int number = 0; number < model.datasets().size(); number++) {
      ArrayModel expected = model.dataset(number);
      Dataset dataset = dataset(file, number);
      if (!Arrays.equals(expected.extent(), dataset.shape().extent())) {
        throw new AssertionError(
            "extent of "
                + dataset.path()
                + ": expected="
                + Arrays.toString(expected.extent())
                + " actual="
                + dataset.shape());
      }
      SplittableRandom random = new SplittableRandom(number * 31L + ranks.rank());
      PickedElements pick = new SelectionGenerator(random).wide(expected.extent());
      compareValues(file, number, pick);
      compareDefined(file, number, pick);
    }
  }

  private Dataset dataset(H5File file, int number) {
    return file.dataset(model.dataset(number).plan().path());
  }

  private void compareValues(H5File file, int number, PickedElements pick) {
    ArrayModel expected = model.dataset(number);
    long[] actual = dataset(file, number).readLongs(pick.selection());
    if (actual.length != pick.elements().length) {
      throw mismatch(number, pick, "number of values", pick.elements().length, actual.length);
    }
    for (int i = 0; i < actual.length; i++) {
      long element = pick.elements()[i];
      if (actual[i] != expected.value(element)) {
        throw mismatch(
            number, pick, "value of element " + element, expected.value(element), actual[i]);
      }
    }
  }

  private void compareDefined(H5File file, int number, PickedElements pick) {
    ArrayModel expected = model.dataset(number);
    Dataset dataset = dataset(file, number);
    Selection found = dataset.defined(pick.selection());
    long[] extent = expected.extent();
    BitSet actual = new BitSet();
    long[] coordinates = found.toCoordinates(dataset.shape());
    long[] order = new long[coordinates.length / extent.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = BoxLoops.index(extent, coordinates, i * extent.length);
      actual.set((int) order[i]);
    }
    BitSet wanted = expected.defined(pick);
    if (!actual.equals(wanted)) {
      BitSet differing = (BitSet) actual.clone();
      differing.xor(wanted);
      int first = differing.nextSetBit(0);
      throw mismatch(
          number, pick, "definedness of element " + first, wanted.get(first), actual.get(first));
    }
    // Points keep their order and repetitions.
    long[] wantedOrder = LongStream.of(pick.elements()).filter(expected::isDefined).toArray();
    if (!Arrays.equals(order, wantedOrder)) {
      throw mismatch(
          number,
          pick,
          "order of the defined elements",
          Arrays.toString(wantedOrder),
          Arrays.toString(order));
    }
  }

  private AssertionError mismatch(
      int number, PickedElements pick, String what, Object expected, Object actual) {
    DatasetPlan plan = model.dataset(number).plan();
    return new AssertionError(
        what
            + ": expected="
            + expected
            + " actual="
            + actual
            + " dataset="
            + plan.path()
            + " rank="
            + ranks.rank()
            + " of "
            + ranks.size()
            + " selection="
            + pick.selection()
            + " extent="
            + Arrays.toString(model.dataset(number).extent())
            + " spec="
            + plan.spec());
  }
}
