package io.skerry.iod.object.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Reference;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.iod.encoding.property.PropertyClass;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.lease.IdCounters;
import io.skerry.iod.object.lease.LeasedIds;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetMetadataTest {
  private static final Datatype INTEGER = FixedPoint.of(4, Signedness.SIGNED, Endian.LITTLE);
  private static final Datatype TEXT = VariableLength.string(CharacterSet.ASCII);

  @TempDir Path folder;

  private static List<DatasetSpec> specs() {
    var filter = FilterPipeline.of(Filters.deflate(6));
    var shape = Shape.of(10, 20);
    var plain = DatasetSpec.of(INTEGER, shape);
    return List.of(
        plain.contiguous(),
        plain.compact(),
        plain.chunked(5, 5),
        plain.chunked(5, 5).withFilters(SectionPipelines.none().with(0, filter)),
        plain.sparse(5, 5),
        plain.sparse(5, 5).encoding(SelectionEncoding.V1),
        plain.chunked(5, 5).edges(DatasetSpec.Edges.UNFILTERED),
        plain.chunked(5, 5).fillValue(new byte[] {1, 2, 3, 4}),
        plain.chunked(5, 5).filling(DatasetSpec.Filling.NEVER),
        plain.chunked(5, 5).allocation(DatasetSpec.Allocation.EARLY),
        plain.sparse(5, 5).withFilters(SectionPipelines.all(filter)),
        plain
            .sparse(5, 5)
            .withFilters(
                SectionPipelines.none()
                    .with(2, filter)
                    .with(1, FilterPipeline.of(Filters.shuffle()))),
        DatasetSpec.of(TEXT, shape).structured(5, 5),
        DatasetSpec.of(TEXT, shape).sparse(5, 5),
        DatasetSpec.of(INTEGER, shape.unlimited(0)).chunked(5, 5),
        DatasetSpec.of(INTEGER, Shape.scalar()).contiguous(),
        DatasetSpec.withoutElements(INTEGER));
  }

  @Test
  void specifications_are_stored_and_read() {
    try (var container = TestContainers.MEMORY.create(folder, "specs", 2)) {
      var created = new ArrayList<StoredObject>();
      TestContainers.commit(
          container,
          changes -> {
            var unused =
                ObjectCreator.createRoot(changes, PropertyList.of(PropertyClass.FILE_CREATE));
            var counters = IdCounters.read(changes);
            var creator = new ObjectCreator(changes, new LeasedIds(t -> counters.lease(t, 1)));
            specs().forEach(spec -> created.add(creator.dataset(spec, Optional.empty())));
          });
      var values = TestContainers.values(container);
      for (int n = 0; n < created.size(); n++) {
        var spec = specs().get(n);
        var read = DatasetMetadata.read(created.get(n).metadata(values));
        assertEquals(DatasetMetadata.of(spec).tile(), read.tile(), spec.toString());
        assertEquals(spec.datatype(), read.spec().datatype());
        assertEquals(spec.shape(), read.spec().shape());
        assertEquals(spec.resolvedStorage(), read.spec().storage(), spec.toString());
        assertEquals(spec.filters().bySection(), read.spec().filters().bySection());
        assertEquals(spec.edges(), read.spec().edges());
        assertEquals(spec.filling(), read.spec().filling());
        assertEquals(spec.encoding(), read.spec().encoding());
        assertEquals(spec.allocation(), read.spec().allocation());
        assertEquals(AttributeOrder.UNTRACKED, read.spec().attributeOrder());
        assertArrayEquals(spec.chunk(), read.spec().chunk());
        assertEquals(spec.fill().isPresent(), read.spec().fill().isPresent());
      }
    }
  }

  @Test
  void nested_variable_length_types_are_refused() {
    var nested = VariableLength.sequence(TEXT);
    for (Datatype type :
        List.of(
            nested,
            new ArrayType(List.of(2), nested),
            new Compound(16, List.of(new Compound.Member("a", 0, nested))))) {
      var e = assertThrows(UnsupportedFeatureException.class, () -> TypeRules.check(type, "here"));
      assertTrue(e.getMessage().contains("nested") && e.getMessage().contains("here"));
    }
    TypeRules.check(VariableLength.sequence(INTEGER), "here");
    TypeRules.check(new ArrayType(List.of(2), TEXT), "here");
    var reference = new Reference(8, Reference.Kind.OBJECT);
    TypeRules.check(reference, "here");
    for (Datatype type : List.of(reference, VariableLength.sequence(reference), nested)) {
      assertThrows(UnsupportedFeatureException.class, () -> TypeRules.checkKey(type, "here"));
    }
    TypeRules.checkKey(TEXT, "here");
  }

  @Test
  void links_have_the_bytes_of_the_layout() {
    var id = ObjectId.of(ObjectType.ARRAY, 1);
    var hex = HexFormat.of();
    var bytes = ValueLayout.JAVA_BYTE;
    assertEquals(
        "000000000100000000000060", hex.formatHex(new Link.Hard(id).encode().toArray(bytes)));
    assertEquals("010000002f616200", hex.formatHex(new Link.Soft("/ab").encode().toArray(bytes)));
    for (Link link : List.of(new Link.Hard(id), new Link.Soft("/ab"))) {
      assertEquals(link, Link.decode(link.encode()));
    }
    for (String bad :
        List.of(
            "",
            "00",
            "02000000",
            "0000000001000000000000",
            "01000000",
            "0100000000",
            "010000002f",
            "01000000616200" + "00",
            "00000000ffffffffffffffff")) {
      assertThrows(
          FormatException.class, () -> Link.decode(MemorySegment.ofArray(hex.parseHex(bad))));
    }
    assertThrows(IllegalArgumentException.class, () -> new Link.Soft(""));
  }
}
