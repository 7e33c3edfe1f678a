package io.skerry.integration.lifecycle;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.integration.random.FillBytes;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.RandomChoice;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.integration.random.ValueGenerator;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Executes one rank's part of a random sequence of operations on a file that has a few datasets of
 * one type family. Every rank draws the same operations and has a complete model. Collective.
 */
final class DatasetLifecycle {
  /**
   * The path of the group that contains targets of references; the group itself is also a target.
   */
  static final String TARGETS = "/targets";

  private static final int MOST_DATASETS = 4;
  private static final int ROWS = 20;

  /** The maximum length of variable-length content in some files; most files use {@link #SHORT}. */
  private static final int LONG = 700;

  private static final int SHORT = 30;

  private final Communicator ranks;
  private final TypeFamily family;
  private final RandomChoice draw;
  private final LayoutGenerator layouts;
  private final SelectionGenerator picker;
  private final ValueGenerator values;
  private final List<DatasetModel> datasets = new ArrayList<>();
  private final Map<DatasetOperation, Integer> done = new EnumMap<>(DatasetOperation.class);
  private final LifecycleFile trial;
  private int number;
  private String step = "creating the file";

  DatasetLifecycle(
      Communicator ranks, Path folder, TypeFamily family, long seed, Checkpoints checkpoints) {
    this.ranks = ranks;
    this.family = family;
    this.draw = new RandomChoice(seed);
    this.layouts = new LayoutGenerator(draw);
    this.picker = new SelectionGenerator(draw.random());
    this.values =
        new ValueGenerator(
            draw,
            List.of(
                new ValueGenerator.RefTarget(TARGETS + "/row", ROWS),
                new ValueGenerator.RefTarget(TARGETS, 0),
                new ValueGenerator.RefTarget(TARGETS + "/group", 0)),
            draw.chance(0.1) ? LONG : SHORT);
    this.trial =
        new LifecycleFile(ranks, folder, family.name() + "-" + seed, checkpoints, draw, layouts);
  }

  /**
   * Executes a number of random operations.
   *
   * @return the number of operations of each kind
   * @throws AssertionError if the file differs from the model or an operation fails; the message
   *     names the operation
   */
  Map<DatasetOperation, Integer> run(int operations) {
    int operation = 0;
    try {
      begin();
      while (operation < operations) {
        operation++;
        DatasetOperation change = DatasetOperation.next(draw);
        if (perform(change)) {
          var unused = done.merge(change, 1, Integer::sum);
        } else {
          operation--;
        }
      }
      step = "the end";
      everything();
      trial.close(datasets);
      return done;
    } catch (AssertionError | RuntimeException e) {
      trial.open().discard();
      throw new AssertionError(
          "family="
              + family
              + " operation="
              + operation
              + " of "
              + operations
              + " rank="
              + ranks.rank()
              + " of "
              + ranks.size()
              + " step="
              + step
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private void begin() {
    var _ = file().createGroup(TARGETS);
    var _ = file().createGroup(TARGETS + "/group");
    Dataset row =
        file().createDataset(TARGETS + "/row", DatasetSpec.of(Datatype.I32, Shape.of(ROWS)));
    row.write(
        ranks.rank() == 0 ? Selection.all() : Selection.none(), new int[isFirst() ? ROWS : 0]);
    int count = draw.between(1, 3);
    for (int i = 0; i < count; i++) {
      LayoutGenerator.Drawn drawn = layouts.dataset(fresh(), family.datatype(draw), values);
      step = "creating " + drawn.spec();
      var unused = file().createDataset(drawn.model().path(), drawn.spec());
      datasets.add(drawn.model());
    }
  }

  private boolean isFirst() {
    return ranks.rank() == 0;
  }

  private H5File file() {
    return trial.open();
  }

  private String fresh() {
    return "/d" + number++;
  }

  /** Executes an operation, and returns whether it was possible. */
  private boolean perform(DatasetOperation change) {
    DatasetModel dataset = draw.pick(datasets);
    step = change + " " + dataset;
    switch (change) {
      case WRITE -> write(dataset, picks(dataset));
      case OVERWRITE -> {
        if (dataset.cells().isEmpty()) {
          return false;
        }
        write(dataset, again(dataset));
      }
      case ERASE -> {
        if (!dataset.isSparse()) {
          return false;
        }
        List<PickedElements> picks = draw.chance(0.7) ? picks(dataset) : again(dataset);
        file().dataset(dataset.path()).erase(picks.get(ranks.rank()).selection());
        picks.forEach(dataset::erase);
        look(dataset);
      }
      case ERASE_ALL -> {
        if (!dataset.isSparse()) {
          return false;
        }
        file().dataset(dataset.path()).erase(isFirst() ? Selection.all() : Selection.none());
        dataset.cells().clear();
        file().flush();
        new Comparison(file()).nothingStored(dataset);
      }
      case EXTEND -> reshape(dataset, layouts.extended(dataset));
      case SHRINK -> reshape(dataset, layouts.shrunk(dataset));
      case FLUSH -> {
        file().flush();
        datasets.forEach(new Comparison(file())::chunks);
      }
      case REOPEN -> {
        trial.reopen(datasets);
        everything();
        datasets.forEach(new Comparison(file())::chunks);
      }
      case REPACK -> {
        List<String> changes = new ArrayList<>();
        try {
          trial.repack(datasets, changes);
        } finally {
          step = "REPACK " + changes;
        }
        everything();
      }
      case COPY_WITHIN -> copyWithin(dataset);
      case COPY_OUT -> trial.copyOut(dataset, datasets);
    }
    return true;
  }

  /** Returns a random selection for each rank. */
  private List<PickedElements> picks(DatasetModel dataset) {
    PickedElements[] picks = new PickedElements[ranks.size()];
    Arrays.setAll(picks, _ -> picker.any(dataset.extent()));
    return List.of(picks);
  }

  /** Returns for each rank some points that were written before, or no points if there are none. */
  private List<PickedElements> again(DatasetModel dataset) {
    List<List<Long>> cells = List.copyOf(dataset.cells().keySet());
    List<PickedElements> picks = new ArrayList<>();
    for (int r = 0; r < ranks.size(); r++) {
      int count = cells.isEmpty() ? 0 : draw.between(1, 30);
      long[][] points = new long[count][];
      long[] elements = new long[count];
      long[] extent = dataset.extent();
      for (int i = 0; i < count; i++) {
        points[i] = draw.pick(cells).stream().mapToLong(Long::longValue).toArray();
        for (int d = 0; d < extent.length; d++) {
          elements[i] = elements[i] * extent[d] + points[i][d];
        }
      }
      picks.add(
          count == 0
              ? PickedElements.NOTHING
              : new PickedElements(Selection.points(points), elements));
    }
    return picks;
  }

  /** Writes the selections; where they overlap, the value of the highest rank is kept. */
  private void write(DatasetModel model, List<PickedElements> picks) {
    Dataset dataset = file().dataset(model.path());
    List<List<Value>> parts = new ArrayList<>();
    for (PickedElements pick : picks) {
      parts.add(values.values(model.type(), pick.elements().length));
    }
    PickedElements own = picks.get(ranks.rank());
    List<Value> part = parts.get(ranks.rank());
    if (FillBytes.fits(model.type()) && draw.chance(0.4)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      part.forEach(value -> bytes.writeBytes(FillBytes.of(model.type(), value)));
      dataset.write(own.selection(), model.type(), MemorySegment.ofArray(bytes.toByteArray()));
    } else {
      dataset.writeValues(own.selection(), ValueGenerator.resolved(file(), part));
    }
    for (int r = 0; r < picks.size(); r++) {
      model.write(picks.get(r), parts.get(r));
    }
    look(model);
  }

  private void reshape(DatasetModel model, long[] extent) {
    step += " to " + Arrays.toString(extent);
    file().dataset(model.path()).extendTo(extent);
    model.reshape(extent);
    look(model);
  }

  /** Reads a part of a dataset and compares it with the model. */
  private void look(DatasetModel model) {
    Comparison comparison = new Comparison(file());
    List<PickedElements> picks = picks(model);
    int how = draw.below(FillBytes.fits(model.type()) ? 4 : 3);
    switch (how) {
      case 0 -> comparison.defined(model, picks.get(ranks.rank()));
      case 3 -> comparison.bytes(model, picks.get(ranks.rank()));
      default -> comparison.values(model, picks.get(ranks.rank()));
    }
  }

  private void everything() {
    datasets.forEach(new Comparison(file())::everything);
  }

  private void copyWithin(DatasetModel dataset) {
    if (datasets.size() == MOST_DATASETS) {
      DatasetModel victim = draw.pick(datasets);
      datasets.remove(victim);
      file().unlink(victim.path());
    }
    if (!datasets.contains(dataset)) {
      return;
    }
    String to = fresh();
    file().copy(dataset.path(), file(), to);
    datasets.add(Copies.within(dataset, to));
    datasets.forEach(new Comparison(file())::everything);
  }
}
