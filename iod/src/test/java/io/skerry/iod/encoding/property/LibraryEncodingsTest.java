package io.skerry.iod.encoding.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import io.skerry.iod.encoding.EncodedDataspace;
import io.skerry.iod.encoding.EncodedDatatype;
import io.skerry.iod.encoding.Encoding;
import io.skerry.iod.encoding.HdfLibrary;
import io.skerry.iod.encoding.RandomDataspaces;
import io.skerry.iod.encoding.RandomDatatypes;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the HDF5 library and Skerry decode what the other one encodes. */
class LibraryEncodingsTest {
  private static final int RANDOM = 300;

  @TempDir Path folder;

  @Test
  void samples_of_the_library_are_decoded_and_encoded_to_the_same_bytes() {
    for (HdfLibrary library : HdfLibrary.all(folder)) {
      List<Encoding> samples = library.samples();
      samples.forEach(RoundTrip::check);
      System.out.println(library + ": " + samples.size() + " samples");
      assertTrue(samples.size() > 110, "samples=" + samples.size());
    }
  }

  private static final VariableLength TEXT = VariableLength.string(CharacterSet.ASCII);

  private static final Compound PACKED =
      new Compound(
          14,
          List.of(
              new Compound.Member("a", 0, Datatype.I32),
              new Compound.Member("b", 4, Datatype.F64),
              new Compound.Member("longer_name", 12, Datatype.U16.withOrder(Endian.BIG))));

  private static final Map<String, Datatype> TYPES =
      Map.ofEntries(
          Map.entry("H5T_STD_I8LE", Datatype.I8),
          Map.entry("H5T_STD_U64BE", Datatype.U64.withOrder(Endian.BIG)),
          Map.entry("H5T_IEEE_F64BE", Datatype.F64.withOrder(Endian.BIG)),
          Map.entry("F16LE", Datatype.F16),
          Map.entry("H5T_STD_REF_OBJ", new Reference(8, Reference.Kind.OBJECT)),
          Map.entry("H5T_STD_REF_DSETREG", new Reference(12, Reference.Kind.REGION)),
          Map.entry("H5T_UNIX_D64BE", new Time(8, Endian.BIG, 64)),
          Map.entry(
              "string size10 spacepad utf8",
              new StringType(10, StringPadding.SPACE_PADDED, CharacterSet.UTF8)),
          Map.entry("VL string ascii", TEXT),
          Map.entry("VL string utf8", VariableLength.string(CharacterSet.UTF8)),
          Map.entry("VLEN of I32LE", VariableLength.sequence(Datatype.I32)),
          Map.entry(
              "VLEN of VLEN of I16LE",
              VariableLength.sequence(VariableLength.sequence(Datatype.I16))),
          Map.entry("VLEN of VL string", VariableLength.sequence(TEXT)),
          Map.entry("ARRAY of VL string", new ArrayType(List.of(3), TEXT)),
          Map.entry("ARRAY F64LE [2,3,4]", new ArrayType(List.of(2, 3, 4), Datatype.F64)),
          Map.entry("COMPOUND14", PACKED),
          Map.entry(
              "COMPOUND nested+array+VL string",
              new Compound(
                  40,
                  List.of(
                      new Compound.Member("in", 0, PACKED),
                      new Compound.Member("ar", 14, new ArrayType(List.of(2, 3), Datatype.I8)),
                      new Compound.Member("vs", 20, TEXT)))),
          Map.entry(
              "COMPOUND of VL",
              new Compound(
                  56,
                  List.of(
                      new Compound.Member("end", 40, TEXT),
                      new Compound.Member("first", 0, TEXT),
                      new Compound.Member("mid", 20, VariableLength.sequence(Datatype.I16))))),
          Map.entry(
              "ARRAY of COMPOUND of VL",
              new ArrayType(
                  List.of(2, 2),
                  new Compound(
                      20,
                      List.of(
                          new Compound.Member("s", 0, TEXT),
                          new Compound.Member("n", 16, Datatype.I32))))),
          Map.entry(
              "ENUM color",
              new Enumeration(
                  Datatype.I32,
                  List.of(
                      new Enumeration.Member("RED", 1),
                      new Enumeration.Member("GREEN", -2),
                      new Enumeration.Member("BLUE_LONG", 300)))),
          Map.entry("OPAQUE 7 tag", new Opaque(7, "tag")));

  @Test
  void types_of_both_are_equal() throws IOException {
    List<Encoding> ours = new ArrayList<>();
    TYPES.forEach(
        (name, type) -> ours.add(Encoding.of("type", name, EncodedDatatype.encode(type))));
    for (HdfLibrary library : HdfLibrary.all(folder)) {
      for (HdfLibrary.Decoded decoded : library.decode(ours)) {
        assertEquals("equal", decoded.verdict(), decoded.toString());
      }
      for (Encoding sample : library.samples()) {
        if (TYPES.containsKey(sample.name())) {
          assertEquals(
              TYPES.get(sample.name()),
              EncodedDatatype.decode(MemorySegment.ofArray(sample.bytes())),
              sample.name());
        }
      }
    }
  }

  @Test
  void random_types_are_encoded_by_the_library_in_the_same_way() throws IOException {
    RandomDatatypes types = new RandomDatatypes(new Random(1));
    List<Encoding> ours = new ArrayList<>();
    for (int i = 0; i < RANDOM; i++) {
      ours.add(Encoding.of("type", "random " + i, EncodedDatatype.encode(types.next(3))));
    }
    checkSame(ours);
  }

  private void checkSame(List<Encoding> ours) throws IOException {
    for (HdfLibrary library : HdfLibrary.all(folder)) {
      List<Encoding> known =
          ours.stream()
              .filter(each -> library.isRecent() || !each.name().endsWith("@latest"))
              .toList();
      for (HdfLibrary.Decoded decoded : library.decode(known)) {
        assertEquals("none", decoded.verdict(), decoded.toString());
        assertEquals(decoded.sent(), decoded.again(), library.toString());
      }
    }
  }

  @Test
  void random_dataspaces_are_encoded_by_the_library_in_the_same_way() throws IOException {
    RandomDataspaces spaces = new RandomDataspaces(new Random(1));
    List<Encoding> ours = new ArrayList<>();
    for (int i = 0; i < RANDOM; i++) {
      EncodedDataspace space = spaces.next();
      String name = "random " + i;
      ours.add(Encoding.of("space", name, space.encode(SelectionEncoding.LIBRARY_EARLIEST)));
      ours.add(
          Encoding.of("space", name + "@latest", space.encode(SelectionEncoding.LIBRARY_V112)));
    }
    checkSame(ours);
  }

  @Test
  void dataspaces_of_both_are_equal() throws IOException {
    Shape box = Shape.of(10, 20);
    Map<String, EncodedDataspace> spaces =
        Map.of(
            "scalar",
            EncodedDataspace.of(Shape.scalar()),
            "null",
            EncodedDataspace.withoutElements(),
            "[4,5,6] max [10,5,inf]",
            EncodedDataspace.of(
                Shape.of(new long[] {4, 5, 6}, new long[] {10, 5, Shape.UNLIMITED})),
            "none",
            new EncodedDataspace(Optional.of(box), Selection.none()),
            "block",
            new EncodedDataspace(Optional.of(box), Selection.at(1, 2).extent(3, 4)),
            "pattern",
            new EncodedDataspace(
                Optional.of(box), Selection.at(1, 2).stride(3, 5).count(3, 3).block(2, 4)),
            "points",
            new EncodedDataspace(
                Optional.of(box), Selection.points(new long[][] {{0, 0}, {9, 19}, {4, 7}})),
            "unlimited",
            new EncodedDataspace(
                Optional.of(box.unlimited(0)),
                Selection.at(1, 2).stride(4, 1).count(Shape.UNLIMITED, 1).block(2, 4)));
    List<Encoding> ours = new ArrayList<>();
    spaces.forEach((name, space) ->
        ours.add(Encoding.of("space", name, space.encode(SelectionEncoding.LIBRARY_EARLIEST))));
    for (HdfLibrary library : HdfLibrary.all(folder)) {
      for (HdfLibrary.Decoded decoded : library.decode(ours)) {
        assertEquals("equal", decoded.verdict(), decoded.toString());
      }
    }
  }

  @Test
  void property_lists_of_both_are_equal() throws IOException {
    List<Encoding> ours = new ArrayList<>();
    CreatedLists.ALL.forEach((name, list) -> ours.add(Encoding.of("plist", name, list.encode())));
    for (HdfLibrary library : HdfLibrary.all(folder)) {
      List<Encoding> known =
          ours.stream().filter(each -> library.isRecent() || !each.name().contains("MAP")).toList();
      for (HdfLibrary.Decoded decoded : library.decode(known)) {
        assertEquals("equal", decoded.verdict(), decoded.toString());
        assertEquals(list(decoded.sent()), list(decoded.again()), decoded.sent().name());
      }
      for (Encoding sample : library.samples()) {
        if (CreatedLists.ALL.containsKey(sample.name())) {
          assertEquals(CreatedLists.ALL.get(sample.name()), list(sample), sample.name());
        }
      }
    }
  }

  @Test
  void lists_of_the_library_that_skerry_encoded_again_are_equal() throws IOException {
    for (HdfLibrary library : HdfLibrary.all(folder)) {
      List<Encoding> again = new ArrayList<>();
      for (Encoding sample : library.samples()) {
        // The library cannot decode the list without properties, and the lists of opened datasets
        // are no samples.
        if (sample.kind().equals("plist")
            && !sample.name().endsWith("ROOT")
            && !sample.name().startsWith("opened")) {
          again.add(Encoding.of("plist", sample.name(), list(sample).encode()));
        }
      }
      for (HdfLibrary.Decoded decoded : library.decode(again)) {
        assertEquals("equal", decoded.verdict(), decoded.toString());
        assertEquals(list(decoded.sent()), list(decoded.again()), decoded.sent().name());
      }
    }
  }

  private static PropertyList list(Encoding encoding) {
    return PropertyList.decode(MemorySegment.ofArray(encoding.bytes()));
  }
}
