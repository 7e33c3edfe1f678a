package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Version;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests elements whose content is in BLOBs or with the elements: cells and references. */
class IodCellsTest {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  @TempDir Path folder;
  private ContainerFixture container;

  /** Returns the number of ranks that run each test together. */
  int ranks() {
    return 1;
  }

  @BeforeEach
  void setUp() {
    container = new ContainerFixture(folder.resolve("run"), ranks());
  }

  private static Throwable cause(Runnable call) {
    return assertThrows(CollectiveException.class, call::run).getCause();
  }

  private static Value number(long value) {
    return new Value.Whole(BigInteger.valueOf(value));
  }

  /** Returns the identifiers of all BLOBs that have versions, removed or not. */
  private Set<Long> blobs() {
    Set<Long> blobs = new HashSet<>();
    EngineLocation location = new EngineLocation("iod", container.path().toString());
    try (Container open = Engines.of(location).open(location, Opening.reading())) {
      for (int shard : open.served()) {
        Page<Version> page = open.shard(shard).history(Optional.empty(), PageLimit.DEFAULT);
        assertTrue(page.isLast(), "few versions");
        page.items().stream()
            .filter(version -> version.place() instanceof Place.Block && !version.isRemoved())
            .forEach(version -> blobs.add(version.place().object()));
      }
    }
    return blobs;
  }

  private static List<DatasetSpec> textSpecs() {
    DatasetSpec spec = DatasetSpec.of(TEXT, Shape.of(5));
    return List.of(
        spec.contiguous(),
        spec.compact(),
        spec.chunked(2),
        spec.chunked(2).filters(Filters.shuffle(), Filters.deflate(4)),
        spec.sparse(2),
        spec.sparse(2).filters(Filters.deflate(4)),
        spec.structured(2));
  }

  @Test
  void texts_are_written_rewritten_and_read() {
    for (DatasetSpec spec : textSpecs()) {
      container.create(
          file -> {
            Dataset texts = file.createDataset("/texts", spec);
            String[] four = {"a", "", "ccc", "long ".repeat(9)};
            texts.write(Selection.at(0).extent(4), four);
            texts.write(Selection.at(2).extent(2), new String[] {"c", ""});
            // Of repeated points, the last value is stored.
            texts.write(Selection.points(new long[][] {{0}, {0}}), new String[] {"x", "y"});
          },
          file ->
              assertEquals(
                  List.of("y", "", "c", "", ""),
                  file.dataset("/texts").readStrings(Selection.all()),
                  spec.toString()));
    }
  }

  @Test
  void a_rewritten_cell_keeps_its_blob() {
    container.create(
        file ->
            file.createDataset("/t", DatasetSpec.of(TEXT, Shape.of(2)))
                .write(Selection.all(), new String[] {"one", "two"}),
        file -> {});
    Set<Long> before = blobs();
    assertEquals(2, before.size());
    container.change(
        file -> {
          file.dataset("/t").write(Selection.at(0).extent(1), new String[] {"other"});
          file.dataset("/t").write(Selection.at(1).extent(1), new String[] {""});
        },
        file ->
            assertEquals(List.of("other", ""), file.dataset("/t").readStrings(Selection.all())));
    assertTrue(before.containsAll(blobs()), "no new BLOBs");
  }

  @Test
  void compounds_and_arrays_have_cells() {
    Datatype sequence = VariableLength.sequence(Datatype.I16);
    Compound type =
        new Compound(
            44,
            List.of(
                new Compound.Member("n", 0, Datatype.I32),
                new Compound.Member("texts", 4, new ArrayType(List.of(1), TEXT)),
                new Compound.Member("s", 24, sequence)));
    Value first =
        new Value.Compound(
            List.of(
                new Value.Field("n", number(5)),
                new Value.Field("texts", new Value.Array(List.of(1), List.of(new Value.Text("t")))),
                new Value.Field("s", new Value.Sequence(List.of(number(1), number(2))))));
    Value second =
        new Value.Compound(
            List.of(
                new Value.Field("n", number(6)),
                new Value.Field("texts", new Value.Array(List.of(1), List.of(new Value.Text("")))),
                new Value.Field("s", new Value.Sequence(List.of()))));
    container.create(
        file -> {
          for (DatasetSpec spec :
              List.of(
                  DatasetSpec.of(type, Shape.of(3).unlimited(0)).chunked(2),
                  DatasetSpec.of(type, Shape.of(3).unlimited(0)).sparse(2))) {
            Dataset dataset = file.createDataset("/" + spec.storage(), spec);
            dataset.writeValues(Selection.all(), List.of(first, first, first));
            dataset.writeValues(Selection.at(1).extent(1), List.of(second));
            dataset.extendTo(2);
            file.root().setAttribute("a" + spec.storage(), type, Shape.of(1), List.of(first));
          }
          byte[] raw = file.dataset("/DENSE").readBytes(Selection.all());
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() -> file.dataset("/DENSE").write(Selection.all(), raw)),
              "descriptors would share BLOBs");
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() ->
                  file.group("/").setAttribute(file.root().attribute("aDENSE").orElseThrow())));
        },
        file -> {
          for (String path : List.of("/DENSE", "/SPARSE")) {
            assertEquals(
                List.of(first, second), file.dataset(path).readValues(Selection.all()), path);
          }
          assertEquals(
              List.of(first),
              file.root().attribute("aSPARSE").orElseThrow().values(file.contents()));
        });
  }

  @Test
  void elements_outside_a_new_extent_lose_their_blobs() {
    container.create(
        file -> {
          Dataset dataset =
              file.createDataset("/t", DatasetSpec.of(TEXT, Shape.of(5).unlimited(0)).chunked(3));
          dataset.write(Selection.all(), new String[] {"a", "b", "c", "d", "e"});
          dataset.extendTo(2);
          file.flush();
          dataset.extendTo(4);
        },
        file ->
            assertEquals(
                List.of("a", "b", "", ""), file.dataset("/t").readStrings(Selection.all())));
    assertEquals(2, blobs().size());
  }

  @Test
  void references_lead_to_objects_and_regions() {
    Datatype region = new Reference(12, Reference.Kind.REGION);
    Selection many = Selection.points(manyPoints());
    container.create(
        file -> {
          file.createDataset("/g/d", DatasetSpec.of(Datatype.I32, Shape.of(20_000)));
          Value one = file.reference("/g/d", Selection.at(3).extent(4));
          Value two = file.reference("/g/d", many);
          Dataset regions = file.createDataset("/regions", DatasetSpec.of(region, Shape.of(3)));
          regions.writeValues(Selection.all(), List.of(two, one, new Value.NullReference()));
          regions.writeValues(Selection.at(0).extent(1), List.of(one));
          regions.writeValues(Selection.at(1).extent(1), List.of(two));
          file.root().setAttribute("regions", region, Shape.of(1), List.of(one));
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() ->
                  file.createDataset("/sparse", DatasetSpec.of(region, Shape.of(3)).sparse(2))));
        },
        file -> {
          Value one = file.reference("/g/d", Selection.at(3).extent(4));
          List<Value> read = file.dataset("/regions").readValues(Selection.all());
          assertEquals(one, read.get(0));
          Value.RegionReference large = (Value.RegionReference) read.get(1);
          assertEquals(many.count(Shape.of(20_000)), large.region().count(Shape.of(20_000)));
          assertEquals(new Value.NullReference(), read.get(2));
          assertEquals(
              List.of(one), file.root().attribute("regions").orElseThrow().values(file.contents()));
        });
  }

  /** Returns points whose encoding is larger than 64 KiB. */
  private static long[][] manyPoints() {
    long[][] points = new long[18_000][1];
    for (int i = 0; i < points.length; i++) {
      points[i][0] = 19_999 - i;
    }
    return points;
  }
}
