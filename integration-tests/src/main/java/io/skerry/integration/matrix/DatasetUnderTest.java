package io.skerry.integration.matrix;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.integration.matrix.pattern.CollectiveStep;
import io.skerry.integration.matrix.pattern.Picks;
import io.skerry.integration.matrix.pattern.Scenario;
import io.skerry.integration.matrix.pattern.Trait;
import io.skerry.integration.random.PickedElements;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A dataset of a case and its expected content. Every rank has its own copy of the expected
 * content, in which it records the writes of all ranks.
 */
final class DatasetUnderTest {
  /** The exclusive upper bound of values, so that they fit into 20 bits including the sign. */
  private static final int MOST = 1 << 19;

  /**
   * The fill value. It is nonzero and changes when its bytes are swapped, so that a wrong byte
   * order is detected.
   */
  private static final long FILL = 0x1234;

  private final String path;
  private final int number;
  private final Storing storing;
  private final SelectionPattern access;
  private final Scenario scenario;
  private final Datatype type;
  private final PlainArray expected;
  private int writes;

  DatasetUnderTest(int number, Storing storing, SelectionPattern access, Scenario scenario) {
    this.path = "/" + storing.name().toLowerCase(Locale.ROOT) + number;
    this.number = number;
    this.storing = storing;
    this.access = access;
    this.scenario = scenario;
    this.type = storing.type(access);
    this.expected =
        new PlainArray(scenario.extent(), Packing.width(type), access.has(Trait.FILLED) ? FILL : 0);
  }

  String path() {
    return path;
  }

  Storing storing() {
    return storing;
  }

  PlainArray expected() {
    return expected;
  }

  /** Creates the dataset. Collective. */
  void create(H5File file) {
    DatasetSpec spec = storing.spec(DatasetSpec.of(type, scenario.shape()), scenario.chunk());
    if (access.has(Trait.FILLED)) {
      long[] element = new long[Packing.width(type)];
      Arrays.fill(element, FILL);
      spec = spec.fillValue(Packing.pack(type, element).toArray(ValueLayout.JAVA_BYTE));
    }
    if (access.has(Trait.NEVER_FILLED)) {
      spec = spec.filling(DatasetSpec.Filling.NEVER);
    }
    if (access.has(Trait.WITHOUT_FILL)) {
      spec = spec.filling(DatasetSpec.Filling.UNDEFINED);
    }
    if (access.has(Trait.PLAIN_EDGES)) {
      spec = spec.edges(DatasetSpec.Edges.UNFILTERED);
    }
    Dataset unused = file.createDataset(path, spec);
  }

  /**
   * Returns the selection of a rank; the assignment rotates from one dataset of the file to the
   * next.
   */
  PickedElements part(List<PickedElements> picks, int rank) {
    return picks.get((rank + number) % picks.size());
  }

  /**
   * Returns the write of a rank, for use in a call that writes either only this dataset or several
   * datasets.
   */
  DatasetWrite write(H5File file, CollectiveStep.Write round, int rank) {
    Dataset dataset = file.dataset(path);
    PickedElements pick = part(round.picks(), rank);
    if (pick.elements().length == 0 && rank % 2 == 1) {
      return DatasetWrite.nothing(dataset);
    }
    long[] values = values(round, rank);
    if (storing.holdsTexts()) {
      return DatasetWrite.of(dataset, pick.selection(), texts(values));
    }
    Datatype memory = Packing.inMemory(type, round.memory());
    return DatasetWrite.of(dataset, pick.selection(), memory, Packing.pack(memory, values));
  }

  private static String[] texts(long[] values) {
    return LongStream.of(values).mapToObj(DatasetUnderTest::text).toArray(String[]::new);
  }

  /** Returns the string that represents a number; some strings are long. */
  static String text(long value) {
    return value == 0 ? "" : Long.toString(value).repeat(1 + (int) (value % 7));
  }

  private long[] values(CollectiveStep.Write round, int rank) {
    int width = round.memory() == CollectiveStep.Memory.ONE_MEMBER ? 1 : Packing.width(type);
    long[] values = new long[part(round.picks(), rank).elements().length * width];
    // The seed differs between ranks, calls and datasets.
    SplittableRandom random = new SplittableRandom((writes * 64L + rank) * 64 + number);
    int first = random.nextInt(20_000);
    switch (round.values()) {
      case DISTINCT -> Arrays.setAll(values, i -> 1 + (first + 7L * i) % 30_000);
      case NOISE -> Arrays.setAll(values, _ -> random.nextInt(MOST));
      case ZEROS -> {}
    }
    return values;
  }

  /** Records the writes of all ranks. */
  void written(CollectiveStep.Write round) {
    for (int rank = 0; rank < round.picks().size(); rank++) {
      PickedElements pick = part(round.picks(), rank);
      if (round.memory() == CollectiveStep.Memory.ONE_MEMBER) {
        expected.writeMember(pick, 1, values(round, rank));
      } else {
        expected.write(pick, values(round, rank));
      }
    }
    writes++;
  }

  /** Changes the extent. Collective. */
  void resize(H5File file, long[] extent) {
    file.dataset(path).extendTo(extent);
    expected.resize(extent);
  }

  /** Compares the extent, the selected elements, and which of them are defined. Collective. */
  void compare(H5File file, PickedElements pick, String when) {
    Dataset dataset = file.dataset(path);
    if (!Arrays.equals(expected.extent(), dataset.shape().extent())) {
      throw different(
          "extent", when, Arrays.toString(expected.extent()), dataset.shape().toString());
    }
    long[] wanted = expected.numbers(pick);
    if (storing.holdsTexts()) {
      sameLists(when, List.of(texts(wanted)), dataset.readStrings(pick.selection()));
    } else {
      for (CollectiveStep.Memory memory :
          List.of(CollectiveStep.Memory.AS_STORED, CollectiveStep.Memory.OTHER)) {
        Datatype as = Packing.inMemory(type, memory);
        MemorySegment read = MemorySegment.ofArray(new byte[pick.elements().length * as.size()]);
        dataset.read(pick.selection(), as, read);
        sameLists(
            when + " as " + as,
            LongStream.of(wanted).boxed().toList(),
            LongStream.of(Packing.unpack(as, read)).boxed().toList());
      }
    }
    compareDefined(dataset, pick, when);
  }

  private void compareDefined(Dataset dataset, PickedElements pick, String when) {
    List<Long> wanted =
        LongStream.of(pick.elements())
            .filter(element -> !storing.isSparse() || expected.isWritten(element))
            .boxed()
            .toList();
    Selection defined = dataset.defined(pick.selection());
    long[] extent = expected.extent();
    long[] flat = defined.toCoordinates(dataset.shape());
    long[][] points = new long[flat.length / extent.length][];
    for (int i = 0; i < points.length; i++) {
      points[i] = Arrays.copyOfRange(flat, i * extent.length, (i + 1) * extent.length);
    }
    sameLists(
        when + " defined elements",
        wanted,
        Arrays.stream(points).map(at -> Picks.index(extent, at)).toList());
  }

  private void sameLists(String when, List<?> wanted, List<?> actual) {
    if (wanted.equals(actual)) {
      return;
    }
    int first = 0;
    while (first < Math.min(wanted.size(), actual.size())
        && wanted.get(first).equals(actual.get(first))) {
      first++;
    }
    throw different(
        "number " + first + " of the selection",
        when,
        first < wanted.size() ? wanted.get(first).toString() : "end",
        first < actual.size() ? actual.get(first).toString() : "end");
  }

  private AssertionError different(String what, String when, String wanted, String actual) {
    return new AssertionError(
        what
            + ": expected="
            + wanted
            + " actual="
            + actual
            + " dataset="
            + path
            + " when="
            + when
            + " "
            + scenario);
  }
}
