package io.skerry.testkit.connector;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.LinkOrder;
import io.skerry.NamedDatatype;
import io.skerry.NoSuchObjectException;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import io.skerry.value.Value;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Conformance suite for connectors, expressed through the object model; each case runs on any
 * number of ranks.
 */
public final class ConnectorConformance implements RankedCases {
  private final Connector connector;
  private final Set<Refusal> refusals;
  private final UnaryOperator<Path> places;

  /**
   * Features that a connector may refuse. The suite then checks that the connector refuses them.
   */
  public enum Refusal {
    /** Links to objects in other files. */
    EXTERNAL_LINKS
  }

  /** Creates the suite for a connector that refuses nothing. */
  public ConnectorConformance(Connector connector) {
    this(connector, Set.of());
  }

  /**
   * Creates the suite for a connector.
   *
   * @param refusals the features that the connector refuses, with a {@link CollectiveException}
   */
  public ConnectorConformance(Connector connector, Set<Refusal> refusals) {
    this(connector, Set.copyOf(refusals), UnaryOperator.identity());
  }

  private ConnectorConformance(
      Connector connector, Set<Refusal> refusals, UnaryOperator<Path> places) {
    this.connector = connector;
    this.refusals = refusals;
    this.places = places;
  }

  /**
   * Returns this suite for a store that is not in the file system.
   *
   * @param to a function that returns the store path for a path in a temporary folder
   */
  public ConnectorConformance placed(UnaryOperator<Path> to) {
    return new ConnectorConformance(connector, refusals, to);
  }

  /** The two steps of a case: writing a file and reading it. */
  private record Story(Step writing, Step reading) {}

  /** A step that all ranks perform on a file. */
  @FunctionalInterface
  private interface Step {
    void take(H5File file, Communicator world);
  }

  @Override
  public List<RankedCase> cases() {
    return Map.ofEntries(
            Map.entry(
                "groups_are_found_again",
                new Story(ConnectorConformance::makeGroups, ConnectorConformance::findGroups)),
            Map.entry("links_lead_to_their_objects", new Story(this::makeLinks, this::followLinks)),
            Map.entry(
                "objects_of_every_kind_have_attributes",
                new Story(
                    ConnectorConformance::makeAttributes, ConnectorConformance::findAttributes)),
            Map.entry(
                "values_of_all_ranks_are_read",
                new Story(ConnectorConformance::makeRows, ConnectorConformance::readRows)),
            Map.entry(
                "a_sparse_dataset_knows_what_is_defined",
                new Story(ConnectorConformance::makeSparse, ConnectorConformance::readSparse)),
            Map.entry(
                "the_memory_for_chunks_can_be_changed_while_they_are_used",
                new Story(ConnectorConformance::makeChunks, ConnectorConformance::resizeCache)),
            Map.entry(
                "texts_and_references_are_values",
                new Story(ConnectorConformance::makeValues, ConnectorConformance::readValues)),
            Map.entry(
                "what_belongs_to_another_file_is_refused",
                new Story(this::passOthers, ConnectorConformance::findOwn)),
            Map.entry(
                "a_chunk_larger_than_a_fixed_extent_is_refused",
                new Story(LargeChunks::write, LargeChunks::read)),
            Map.entry(
                "what_was_unlinked_is_gone",
                new Story(ConnectorConformance::unlink, ConnectorConformance::findNothing)))
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> new RankedCase(e.getKey(), world -> play(world, e.getValue())))
        .toList();
  }

  /**
   * Writes a file, reads it while it is still open, and reads it again each time it is reopened.
   */
  private void play(Communicator world, Story story) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = places.apply(folder.file("story.h5"));
      Path fresh = places.apply(folder.file("new.h5"));
      FileOptions options = FileOptions.standard();
      Connectors.open(connector, path, FileAccess.CREATE, world, options).close();
      try (H5File file = Connectors.open(connector, path, FileAccess.CREATE, world, options)) {
        Expect.equal(path, file.path(), "path");
        story.writing.take(file, world);
        story.reading.take(file, world);
      }
      try (H5File file = Connectors.open(connector, path, FileAccess.READ, world, options)) {
        story.reading.take(file, world);
        Expect.thrown(
            IllegalStateException.class, () -> file.createGroup("/late"), "changing while reading");
      }
      try (H5File file = Connectors.open(connector, path, FileAccess.WRITE, world, options)) {
        story.reading.take(file, world);
        file.createGroup("/lost");
        file.discard();
      }
      Expect.thrown(
          CollectiveException.class,
          () -> Connectors.open(connector, path, FileAccess.CREATE_NEW, world, options),
          "creating a file where one is");
      try (H5File file = Connectors.open(connector, path, FileAccess.READ, world, options)) {
        missing(file, "/lost");
        story.reading.take(file, world);
      }
      Connectors.open(connector, fresh, FileAccess.CREATE_NEW, world, options).close();
      Connectors.open(connector, fresh, FileAccess.READ, world, options).close();
      world.barrier();
    }
  }

  private static void missing(H5File file, String path) {
    Expect.thrown(NoSuchObjectException.class, () -> file.object(path), path);
  }

  private static List<String> names(Group group) {
    return group.links().stream().map(Group.Link::name).toList();
  }

  private static void makeGroups(H5File file, Communicator world) {
    file.createGroup("/a/b/c");
    file.group("/a").createGroup("d");
    file.createGroup("/ordered", LinkOrder.TRACKED).createGroup("z");
    Expect.thrown(
        CollectiveException.class,
        () -> file.createGroup("/ordered", LinkOrder.UNTRACKED),
        "a name that is taken");
  }

  private static void findGroups(H5File file, Communicator world) {
    Expect.equal(List.of("a", "ordered"), names(file.root()), "links of the root");
    Expect.equal(List.of("b", "d"), names(file.group("/a")), "links of /a");
    Expect.equal("/a/b/c", file.group("a/b/c").path(), "path");
    Group.Hard link = (Group.Hard) file.group("/a").links().getFirst();
    H5Object child = file.group("/a").child(link);
    Expect.that(child instanceof Group, "a group is a group");
    Expect.equal(file.group("/a/b").address(), ((Group) child).address(), "the same group");
    Expect.thrown(NoSuchObjectException.class, () -> file.dataset("/a"), "a group as a dataset");
    missing(file, "/a/x");
    missing(file, "/x/b");
  }

  private boolean hasExternalLinks() {
    return !refusals.contains(Refusal.EXTERNAL_LINKS);
  }

  private void makeLinks(H5File file, Communicator world) {
    file.createDataset("/one/data", DatasetSpec.of(Datatype.I32, Shape.of(4)));
    file.createHardLink("/two", "/one/data");
    file.createSoftLink("/three", "/one/data");
    file.createSoftLink("/dangling", "/nowhere");
    if (hasExternalLinks()) {
      file.createExternalLink("/four", "other.h5", "/x");
    } else {
      Expect.thrown(
          CollectiveException.class,
          () -> file.createExternalLink("/new/four", "other.h5", "/x"),
          "a refused external link");
    }
    file.move("/one", "/uno");
    file.createSoftLink("/five", "/uno/data");
  }

  private void followLinks(H5File file, Communicator world) {
    List<String> all = List.of("dangling", "five", "four", "three", "two", "uno");
    List<String> expected =
        hasExternalLinks() ? all : all.stream().filter(name -> !name.equals("four")).toList();
    Expect.equal(expected, names(file.root()), "links");
    Expect.equal(Shape.of(4), file.dataset("/two").shape(), "through a hard link");
    Expect.equal(Shape.of(4), file.dataset("/five").shape(), "through a soft link");
    Expect.equal(file, file.dataset("/five").file(), "the file of an object");
    List<Group.Link> links = file.root().links();
    Expect.equal(new Group.Soft("dangling", "/nowhere"), links.get(0), "soft link");
    if (hasExternalLinks()) {
      Expect.equal(new Group.External("four", "other.h5", "/x"), links.get(2), "external link");
    }
    missing(file, "/three");
    missing(file, "/dangling");
  }

  private static void makeAttributes(H5File file, Communicator world) {
    file.createGroup("/g");
    file.createDataset("/d", DatasetSpec.of(Datatype.F64, Shape.scalar()));
    file.createDatatype("/t", Datatype.U16);
    for (String path : List.of("/", "/g", "/d", "/t")) {
      H5Object object = file.object(path);
      object.setAttribute(Attribute.of("text", "of " + path));
      object.setAttribute(Attribute.of("number", 1L));
      object.setAttribute(Attribute.of("number", 2.5));
      object.setAttribute(Attribute.of("gone", 3L));
      object.deleteAttribute("gone");
      object.setAttribute(Attribute.of("old", new long[] {4, 5}));
      object.renameAttribute("old", "new");
      object.setAttribute(
          "texts",
          VariableLength.string(CharacterSet.UTF8),
          Shape.of(2),
          List.of(new Value.Text("short"), new Value.Text("somewhat longer")));
    }
  }

  private static void findAttributes(H5File file, Communicator world) {
    for (String path : List.of("/", "/g", "/d", "/t")) {
      H5Object object = file.object(path);
      Expect.equal(
          List.of("new", "number", "text", "texts"),
          object.attributes().stream().map(Attribute::name).sorted().toList(),
          "attributes of " + path);
      Expect.equal("of " + path, object.attribute("text").orElseThrow().text(), "text");
      Expect.equal(2.5, object.attribute("number").orElseThrow().doubles()[0], "number");
      Expect.equal(
          "[4, 5]", Arrays.toString(object.attribute("new").orElseThrow().longs()), "numbers");
      Expect.equal(
          List.of(new Value.Text("short"), new Value.Text("somewhat longer")),
          object.attribute("texts").orElseThrow().values(file.contents()),
          "texts");
    }
    Expect.equal(Datatype.U16, ((NamedDatatype) file.object("/t")).datatype(), "named datatype");
  }

  private static void makeRows(H5File file, Communicator world) {
    int ranks = world.size();
    int rank = world.rank();
    Shape shape = Shape.of(ranks, 5).unlimited(0);
    for (DatasetSpec spec :
        List.of(
            DatasetSpec.of(Datatype.I32, Shape.of(2L * ranks, 5)).contiguous(),
            DatasetSpec.of(Datatype.I32, Shape.of(2L * ranks, 5)).compact(),
            DatasetSpec.of(Datatype.I32, shape).chunked(3, 2))) {
      Dataset dataset = file.createDataset("/rows-" + spec.storage(), spec);
      if (spec.shape().isExtendible()) {
        dataset.extendTo(2L * ranks, 5);
      }
      for (int row = rank; row < 2 * ranks; row += ranks) {
        int[] values = {row, row + 1, row + 2, row + 3, row + 4};
        dataset.write(Selection.at(row, 0).extent(1, 5), values);
      }
    }
    Expect.thrown(
        CollectiveException.class,
        () ->
            file.dataset("/rows-DENSE").write(Selection.at(2L * ranks, 0).extent(1, 5), new int[5]),
        "writing outside");
    file.flush();
  }

  private static void readRows(H5File file, Communicator world) {
    for (DatasetSpec.Storage storage :
        List.of(
            DatasetSpec.Storage.CONTIGUOUS,
            DatasetSpec.Storage.COMPACT,
            DatasetSpec.Storage.DENSE)) {
      Dataset dataset = file.dataset("/rows-" + storage);
      long rows = dataset.shape().extent(0);
      Expect.equal(2L * world.size(), rows, "rows");
      double[] all = dataset.readDoubles(Selection.at(0, 0).extent(rows, 5));
      for (int i = 0; i < all.length; i++) {
        Expect.equal((double) (i / 5 + i % 5), all[i], storage + " at " + i);
      }
      Expect.that(!dataset.isSparse(), "not sparse");
      Expect.that(!dataset.isNull(), "not null");
      long values = storage == DatasetSpec.Storage.COMPACT ? 0 : rows * 5 * Datatype.I32.size();
      Expect.that(dataset.usage().dataBytes() >= values, storage + " usage of data");
      Expect.equal(
          storage == DatasetSpec.Storage.DENSE, dataset.usage().chunks() > 0, storage + " chunks");
    }
  }

  private static void makeSparse(H5File file, Communicator world) {
    int rank = world.rank();
    Dataset dataset =
        file.createDataset(
            "/sparse",
            DatasetSpec.of(Datatype.F32, Shape.of(100, world.size()))
                .sparse(10, Math.min(2, world.size()))
                .fillValue((byte) 0, (byte) 0, (byte) 128, (byte) 63));
    dataset.write(
        Selection.points(new long[][] {{3, rank}, {57, rank}}), new float[] {rank, rank + 0.5f});
    dataset.write(Selection.points(new long[][] {{99, rank}}), new float[] {9});
    dataset.erase(rank == 0 ? Selection.at(99, 0).extent(1, world.size()) : Selection.none());
  }

  private static void readSparse(H5File file, Communicator world) {
    Dataset dataset = file.dataset("/sparse");
    int ranks = world.size();
    Expect.that(dataset.isSparse(), "sparse");
    Selection found = dataset.defined(Selection.at(0, 0).extent(100, ranks));
    Expect.equal(2L * ranks, found.count(dataset.shape()), "defined elements");
    float[] values = dataset.readFloats(Selection.at(57, 0).extent(1, ranks));
    for (int i = 0; i < ranks; i++) {
      Expect.equal(i + 0.5f, values[i], "value");
    }
    Expect.equal(
        1.0f, dataset.readFloats(Selection.at(99, 0).extent(1, 1))[0], "an undefined element");
  }

  private static void makeChunks(H5File file, Communicator world) {
    Dataset dataset =
        file.createDataset(
            "/chunks",
            DatasetSpec.of(Datatype.I64, Shape.of(64L * world.size(), 64)).chunked(16, 16));
    long[] values = new long[64 * 64];
    Arrays.setAll(values, i -> 10_000L * world.rank() + i);
    dataset.write(Selection.at(64L * world.rank(), 0).extent(64, 64), values);
    file.flush();
  }

  private static void resizeCache(H5File file, Communicator world) {
    CacheOptions standard = file.cacheOptions();
    for (CacheOptions options :
        List.of(standard.withFixedSize(5000), standard.withFixedSize(0), standard)) {
      file.resizeCache(options);
      Expect.equal(options, file.cacheOptions(), "options");
      long[] read =
          file.dataset("/chunks").readLongs(Selection.at(64L * world.rank(), 0).extent(64, 64));
      for (int i = 0; i < read.length; i++) {
        Expect.equal(10_000L * world.rank() + i, read[i], "value at " + i);
      }
      CacheStatistics told = file.cacheStatistics();
      Expect.that(told.bytes() - told.unstoredBytes() <= told.quiescent(), "held: " + told);
      Expect.that(told.quiescent() <= options.most(), "limit: " + told);
    }
  }

  private static void makeValues(H5File file, Communicator world) {
    Dataset texts =
        file.createDataset(
            "/texts",
            DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(world.size()))
                .contiguous());
    texts.write(
        Selection.at(world.rank()).extent(1),
        new String[] {"text of rank " + world.rank() + " \u00e4"});
    Dataset references =
        file.createDataset(
            "/references", DatasetSpec.of(new Reference(8, Reference.Kind.OBJECT), Shape.of(2)));
    references.writeValues(
        world.rank() == 0 ? Selection.at(0).extent(2) : Selection.none(),
        world.rank() == 0
            ? List.of(file.reference("/texts"), new Value.NullReference())
            : List.of());
  }

  private static void readValues(H5File file, Communicator world) {
    List<String> texts = file.dataset("/texts").readStrings(Selection.at(0).extent(world.size()));
    for (int i = 0; i < texts.size(); i++) {
      Expect.equal("text of rank " + i + " \u00e4", texts.get(i), "text");
    }
    List<Value> references = file.dataset("/references").readValues(Selection.at(0).extent(2));
    Expect.equal(file.reference("/texts"), references.get(0), "reference");
    Expect.equal(new Value.NullReference(), references.get(1), "null reference");
  }

  private void passOthers(H5File file, Communicator world) {
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(2));
    file.createDataset("/own", spec).write(Selection.all(), new int[] {1, 2});
    // Options may follow the name in the path of a store.
    Path path = Path.of(file.path().toString().replace("story.h5", "other.h5"));
    FileOptions options = FileOptions.standard();
    try (H5File other = Connectors.open(connector, path, FileAccess.CREATE, world, options)) {
      Dataset dataset = other.createDataset("/own", spec);
      NamedDatatype type = other.createDatatype("/type", Datatype.I32);
      List<Expect.Action> actions =
          List.of(
              () ->
                  file.writeAll(
                      List.of(DatasetWrite.of(dataset, Selection.all(), new int[] {3, 4}))),
              () ->
                  file.root()
                      .setAttribute(
                          "shared", type, Shape.of(1), List.of(new Value.Whole(BigInteger.ONE))));
      for (Expect.Action action : actions) {
        CollectiveException refusal =
            Expect.thrown(CollectiveException.class, action, "an object of another file");
        Expect.that(refusal.getCause() instanceof IllegalArgumentException, "" + refusal);
        Expect.equal(world.size(), refusal.failingRanks().size(), "failing ranks");
      }
      world.barrier();
    }
  }

  private static void findOwn(H5File file, Communicator world) {
    Expect.equal(List.of("own"), names(file.root()), "links");
    Expect.equal(List.of(), file.root().attributes(), "attributes");
    Expect.equal(
        "[1, 2]", Arrays.toString(file.dataset("/own").readInts(Selection.all())), "values");
  }

  private static void unlink(H5File file, Communicator world) {
    file.createDataset("/group/data", DatasetSpec.of(Datatype.I32, Shape.of(4)));
    file.createHardLink("/other", "/group/data");
    file.flush();
    file.unlink("/group");
    file.flush();
  }

  private static void findNothing(H5File file, Communicator world) {
    missing(file, "/group");
    Expect.equal(List.of("other"), names(file.root()), "links");
    Expect.equal(Shape.of(4), file.dataset("/other").shape(), "what another link holds");
  }
}
