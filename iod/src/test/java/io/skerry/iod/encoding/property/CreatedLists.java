package io.skerry.iod.encoding.property;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.format.Bytes;
import io.skerry.iod.encoding.EncodedDataspace;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Lists that Skerry creates, by the names of the samples to which they are equal. */
final class CreatedLists {
  private static final DatasetSpec CHUNKED =
      DatasetSpec.of(Datatype.I32, Shape.of(64, 600)).chunked(16, 300);
  private static final DatasetSpec FLAT = DatasetSpec.of(Datatype.I32, Shape.of(5));

  static final Map<String, PropertyList> ALL =
      Map.ofEntries(
          Map.entry(
              "default FILE_CREATE",
              CreationLists.file(CreationOrder.UNTRACKED, CreationOrder.UNTRACKED)),
          Map.entry(
              "default GROUP_CREATE",
              CreationLists.group(CreationOrder.UNTRACKED, CreationOrder.UNTRACKED)),
          Map.entry(
              "link order", CreationLists.group(CreationOrder.INDEXED, CreationOrder.UNTRACKED)),
          Map.entry(
              "link order tracked",
              CreationLists.group(CreationOrder.TRACKED, CreationOrder.UNTRACKED)),
          Map.entry("default DATATYPE_CREATE", CreationLists.datatype(CreationOrder.UNTRACKED)),
          Map.entry("default MAP_CREATE", CreationLists.map(CreationOrder.UNTRACKED)),
          Map.entry("default ATTRIBUTE_CREATE", CreationLists.attribute(CharacterSet.ASCII)),
          Map.entry("attribute", CreationLists.attribute(CharacterSet.UTF8)),
          Map.entry("default LINK_CREATE", CreationLists.link(CharacterSet.ASCII, Switch.OFF)),
          Map.entry("link", CreationLists.link(CharacterSet.UTF8, Switch.ON)),
          Map.entry("default DATASET_CREATE", of(FLAT)),
          Map.entry("compact", of(FLAT.compact())),
          Map.entry("chunk", of(CHUNKED)),
          Map.entry("chunk+deflate", of(CHUNKED.filters(Filters.deflate(6)))),
          Map.entry(
              "chunk+3 filters",
              of(CHUNKED.filters(Filters.deflate(6), Filters.shuffle(), Filters.fletcher32()))),
          Map.entry("fill undefined", of(FLAT.filling(DatasetSpec.Filling.UNDEFINED))),
          Map.entry("fill never", of(FLAT.filling(DatasetSpec.Filling.NEVER))),
          Map.entry(
              "fill 1.5",
              of(
                  DatasetSpec.of(Datatype.F64, Shape.of(3))
                      .fillValue(
                          (byte) 0,
                          (byte) 0,
                          (byte) 0,
                          (byte) 0,
                          (byte) 0,
                          (byte) 0,
                          (byte) 0xf8,
                          (byte) 0x3f))),
          Map.entry("attribute order, times", of(FLAT.attributeOrder(AttributeOrder.TRACKED))),
          Map.entry("fill -7, early", early()),
          Map.entry("external, unlimited", external()),
          Map.entry("virtual", virtual()));

  private CreatedLists() {}

  private static PropertyList of(DatasetSpec spec) {
    return DatasetCreation.of(spec).toList();
  }

  private static PropertyList early() {
    Bytes value = Bytes.of(MemorySegment.ofArray(new byte[] {(byte) 0xf9, -1, -1, -1}));
    return new DatasetCreation(
            new StorageLayout.Chunked(List.of(16L, 300L)),
            new FillProperty(
                FillProperty.Allocation.EARLY,
                FillProperty.Filling.ON_ALLOCATION,
                new FillProperty.Value.Given(value, Datatype.I32)),
            Switch.OFF,
            List.of(Filters.deflate(6)),
            List.of(),
            CreationOrder.UNTRACKED)
        .toList();
  }

  private static PropertyList external() {
    DatasetCreation flat = DatasetCreation.of(FLAT);
    return new DatasetCreation(
            flat.layout(),
            flat.fill(),
            Switch.ON,
            List.of(),
            List.of(
                new ExternalFile("a.raw", 0, OptionalLong.of(100)),
                new ExternalFile("b.raw", 70_000, OptionalLong.empty())),
            CreationOrder.UNTRACKED)
        .toList();
  }

  private static PropertyList virtual() {
    EncodedDataspace source = space(Shape.of(20), Selection.at(3).extent(6));
    StorageLayout layout =
        new StorageLayout.Virtual(
            List.of(
                new StorageLayout.Mapping(
                    "src0.h5",
                    "/d",
                    source,
                    space(Shape.of(4, 10), Selection.at(0, 2).extent(1, 6))),
                new StorageLayout.Mapping(
                    "src1.h5",
                    "/d",
                    source,
                    space(Shape.of(4, 10), Selection.at(1, 2).extent(1, 6))),
                new StorageLayout.Mapping(
                    "%b.h5",
                    "/d",
                    EncodedDataspace.of(Shape.of(1, 10)),
                    space(
                        Shape.of(4, 10).unlimited(0),
                        Selection.at(2, 0).count(Shape.UNLIMITED, 1).block(1, 10)))));
    DatasetCreation flat = DatasetCreation.of(FLAT);
    return new DatasetCreation(
            layout, flat.fill(), Switch.ON, List.of(), List.of(), CreationOrder.UNTRACKED)
        .toList();
  }

  private static EncodedDataspace space(Shape extent, Selection selection) {
    return new EncodedDataspace(Optional.of(extent), selection);
  }
}
