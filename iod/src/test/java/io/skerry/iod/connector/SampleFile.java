package io.skerry.iod.connector;

import io.skerry.Attribute;
import io.skerry.AttributeOrder;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.LinkOrder;
import io.skerry.MapObject;
import io.skerry.NamedDatatype;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A file with each kind of object and each form of tile. */
public final class SampleFile {
  /** The settings of the containers that hold samples. */
  public static final ContainerSettings SETTINGS =
      new ContainerSettings(2, ChecksumLevel.STORE, EngineOptions.DEFAULT);

  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  /** The elements of a tile that the engine stores as a large value. */
  private static final int LARGE_TILE = 2048;

  /** A size above that of a block of a BLOB, in bytes. */
  private static final int LARGE = (1 << 20) + 100;

  /** A size above which metadata are stored in a BLOB, in bytes. */
  private static final int SPILLED = 70_000;

  private static final Compound PAIR =
      new Compound(
          12,
          List.of(
              new Compound.Member("count", 0, Datatype.I32),
              new Compound.Member("mean", 4, Datatype.F64)));

  private final H5File file;

  private SampleFile(H5File file) {
    this.file = file;
  }

  /** Writes small objects of all kinds; the content does not depend on time or chance. */
  public static void write(H5File file) {
    SampleFile sample = new SampleFile(file);
    sample.groups();
    sample.dense();
    sample.sparse();
    sample.variable();
    sample.references();
    sample.committed();
    sample.maps();
  }

  /** Writes a BLOB of several blocks, and metadata that are stored in a BLOB. */
  public static void writeLarge(H5File file) {
    Dataset text = file.createDataset("/large text", DatasetSpec.of(TEXT, Shape.of(2)).chunked(2));
    text.write(Selection.all(), new String[] {"x".repeat(LARGE), "short"});
    byte[] fill = new byte[SPILLED];
    Arrays.fill(fill, (byte) 5);
    Dataset opaque =
        file.createDataset(
            "/large fill",
            DatasetSpec.of(new Opaque(SPILLED, "block"), Shape.of(2)).chunked(1).fillValue(fill));
    opaque.setAttribute(Attribute.of("bytes", (long) SPILLED));
  }

  private void groups() {
    file.root().setAttribute(Attribute.of("title", "a sample"));
    Group group = file.createGroup("/g", LinkOrder.UNTRACKED, AttributeOrder.TRACKED);
    group.setAttribute(Attribute.of("second", 2));
    group.setAttribute(Attribute.of("first", new double[] {1.5, -1}));
    group.setAttribute(Attribute.empty("empty", Datatype.I16));
    file.createGroup("/g/inner");
    file.createHardLink("/again", "/g/inner");
    file.createSoftLink("/g/soft", "/dense/plain");
    file.createSoftLink("/g/nowhere", "/none");
  }

  private void dense() {
    file.createGroup("/dense");
    Dataset plain =
        file.createDataset(
            "/dense/plain",
            DatasetSpec.of(Datatype.I32, Shape.of(new long[] {5, 7}, new long[] {-1, 7}))
                .chunked(2, 3));
    plain.write(Selection.all(), IntStream.range(0, 35).toArray());
    Dataset filtered =
        file.createDataset(
            "/dense/filtered",
            DatasetSpec.of(Datatype.I16, Shape.of(40))
                .chunked(16)
                .filters(Filters.shuffle(), Filters.deflate(6), Filters.fletcher32())
                .edges(DatasetSpec.Edges.UNFILTERED));
    short[] numbers = new short[35];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (short) (i / 3);
    }
    filtered.write(Selection.at(3).extent(35), numbers);
    Dataset large =
        file.createDataset(
            "/dense/large", DatasetSpec.of(Datatype.I32, Shape.of(LARGE_TILE)).chunked(LARGE_TILE));
    large.write(Selection.all(), IntStream.range(0, LARGE_TILE).toArray());
    Dataset whole =
        file.createDataset("/dense/contiguous", DatasetSpec.of(Datatype.F64, Shape.of(6)));
    whole.write(Selection.all(), new double[] {0, 1, 2, 3, 4, 5.5});
    Dataset compact =
        file.createDataset("/dense/compact", DatasetSpec.of(Datatype.I8, Shape.of(3)).compact());
    compact.write(Selection.all(), new byte[] {7, 8, 9});
    Dataset scalar = file.createDataset("/dense/scalar", DatasetSpec.of(PAIR, Shape.scalar()));
    scalar.writeValues(
        Selection.all(),
        List.of(
            new Value.Compound(
                List.of(
                    new Value.Field("count", whole(3)),
                    new Value.Field("mean", new Value.Real(0.25, 53))))));
    file.createDataset("/dense/null", DatasetSpec.withoutElements(Datatype.I64));
  }

  private static Value whole(long value) {
    return new Value.Whole(BigInteger.valueOf(value));
  }

  private void sparse() {
    file.createGroup("/sparse");
    Dataset plain =
        file.createDataset(
            "/sparse/plain",
            DatasetSpec.of(Datatype.F32, Shape.of(new long[] {20, 30}, new long[] {-1, -1}))
                .sparse(8, 9)
                .fillValue((byte) 0, (byte) 0, (byte) 128, (byte) 191));
    plain.write(
        Selection.points(new long[][] {{0, 0}, {3, 4}, {19, 29}, {7, 8}}),
        new float[] {1, 2, 3, 4});
    Dataset filtered =
        file.createDataset(
            "/sparse/filtered",
            DatasetSpec.of(Datatype.I32, Shape.of(300))
                .sparse(100)
                .sectionFilters(0, Filters.deflate(6))
                .sectionFilters(1, Filters.shuffle(), Filters.deflate(6)));
    filtered.write(Selection.at(5).stride(2).count(90), IntStream.range(0, 90).toArray());
    Dataset texts =
        file.createDataset("/sparse/texts", DatasetSpec.of(TEXT, Shape.of(12)).sparse(5));
    texts.write(
        Selection.points(new long[][] {{1}, {2}, {11}}), new String[] {"one", "", "eleven"});
    Dataset structured =
        file.createDataset(
            "/sparse/structured",
            DatasetSpec.of(TEXT, Shape.of(4)).structured(4).sectionFilters(2, Filters.deflate(1)));
    structured.write(Selection.all(), new String[] {"a", "bb", "ccc", "dddd"});
  }

  private void variable() {
    file.createGroup("/variable");
    Dataset texts =
        file.createDataset("/variable/texts", DatasetSpec.of(TEXT, Shape.of(5)).chunked(3));
    texts.write(Selection.at(0).extent(4), new String[] {"short", "", "\u00e4", "fourth"});
    Dataset rows =
        file.createDataset(
            "/variable/rows",
            DatasetSpec.of(VariableLength.sequence(Datatype.I32), Shape.of(3))
                .chunked(3)
                .filters(Filters.deflate(1)));
    rows.writeValues(
        Selection.all(),
        List.of(
            new Value.Sequence(List.of(whole(1), whole(2))),
            new Value.Sequence(List.of()),
            new Value.Sequence(List.of(whole(-3)))));
    rows.setAttribute(
        "labels", TEXT, Shape.of(2), List.of(new Value.Text("x"), new Value.Text("y")));
  }

  private void references() {
    Dataset objects =
        file.createDataset(
            "/objects",
            DatasetSpec.of(new Reference(8, Reference.Kind.OBJECT), Shape.of(2)).chunked(2));
    objects.writeValues(Selection.all(), List.of(file.reference("/g"), file.reference("/dense")));
    Dataset regions =
        file.createDataset(
            "/regions",
            DatasetSpec.of(new Reference(12, Reference.Kind.REGION), Shape.of(2)).chunked(2));
    regions.writeValues(
        Selection.all(),
        List.of(
            file.reference("/dense/plain", Selection.at(1, 2).extent(2, 3)),
            new Value.NullReference()));
  }

  private void committed() {
    NamedDatatype type = file.createDatatype("/type", PAIR);
    type.setAttribute(Attribute.of("of", "pairs"));
    Dataset shared = file.createDataset("/shared", DatasetSpec.of(type, Shape.of(2)).chunked(2));
    shared.setAttribute(
        "typed",
        type,
        Shape.of(1),
        List.of(
            new Value.Compound(
                List.of(
                    new Value.Field("count", whole(1)),
                    new Value.Field("mean", new Value.Real(2, 53))))));
  }

  private void maps() {
    MapObject numbers = file.createMap("/numbers", Datatype.I32, Datatype.F64);
    numbers.putAll(Map.of(whole(1), new Value.Real(0.5, 53), whole(-2), new Value.Real(4, 53)));
    numbers.setAttribute(Attribute.of("units", "mm"));
    MapObject texts = file.createMap("/texts", TEXT, TEXT);
    texts.putAll(
        Map.of(
            new Value.Text("key"), new Value.Text("value"),
            new Value.Text(""), new Value.Text("empty key")));
    MapObject rows = file.createMap("/rows", TEXT, VariableLength.sequence(Datatype.I16));
    rows.put(new Value.Text("r"), new Value.Sequence(List.of(whole(1), whole(2), whole(3))));
  }
}
