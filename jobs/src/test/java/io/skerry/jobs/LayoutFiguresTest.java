package io.skerry.jobs;

import static io.skerry.jobs.InProcess.good;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares what {@code skerry iod dump} prints with the figures of "HDF5 Data in IOD Containers
 * Layout Specification" (The HDF Group, 2013). The expected texts were written by hand: each figure
 * as in the document, with the identifiers that it names. An identifier of the dump has to be the
 * same wherever a figure has the same name. Where the document prints UNDEFINED_ID, the dump prints
 * INVALID; object types are H5I_GROUP 2, H5I_DATATYPE 3, H5I_DATASET 5, H5I_MAP 6, H5I_ATTR 7.
 */
class LayoutFiguresTest {
  private static final Pattern IDENTIFIER = Pattern.compile("(KV|ARRAY|BLOB) [0-9a-f]{16}");

  @TempDir private Path folder;

  private List<String> dump(Consumer<H5File> content) {
    String location = "iod:" + folder.resolve("file_name");
    try (H5File file = H5File.create(location, Communicator.self())) {
      content.accept(file);
    }
    return good("iod", "dump", location).out().lines().toList();
  }

  /** Returns the lines about an object, without those that a figure does not show. */
  private static List<String> object(List<String> dump, String path) {
    List<String> found = new ArrayList<>();
    boolean isWithin = false;
    for (String line : dump) {
      if (line.isEmpty()) {
        isWithin = false;
      } else if (!line.startsWith(" ")) {
        isWithin = line.endsWith(" \"" + path + "\"");
      }
      // The properties of a list are indented by six characters.
      if (isWithin && !line.startsWith("      ")) {
        found.add(line.strip());
      }
    }
    return found;
  }

  /**
   * Compares the lines of objects with a figure: a line of the figure is the beginning of a line of
   * the dump. A name in angle brackets stands for an identifier.
   */
  private static void assertFigure(List<String> dump, String figure, String... paths) {
    List<String> actual = Stream.of(paths).flatMap(path -> object(dump, path).stream()).toList();
    List<String> expected = figure.strip().lines().map(String::strip).toList();
    Map<String, String> names = new LinkedHashMap<>();
    List<String> named = new ArrayList<>();
    for (int i = 0; i < actual.size(); i++) {
      String wanted = i < expected.size() ? expected.get(i) : "";
      named.add(named(actual.get(i), wanted, names));
    }
    for (int i = 0; i < named.size() && i < expected.size(); i++) {
      if (named.get(i).startsWith(expected.get(i))) {
        named.set(i, expected.get(i));
      }
    }
    assertEquals(String.join("\n", expected), String.join("\n", named));
  }

  /** Replaces identifiers by the names that the figure has at their places. */
  private static String named(String line, String wanted, Map<String, String> names) {
    Matcher found = IDENTIFIER.matcher(line);
    Matcher name = Pattern.compile("<[a-zA-Z0-9_]+>").matcher(wanted);
    StringBuilder text = new StringBuilder();
    while (found.find()) {
      String id = found.group();
      if (name.find() && !names.containsValue(name.group())) {
        names.putIfAbsent(id, name.group());
      }
      found.appendReplacement(text, Matcher.quoteReplacement(names.getOrDefault(id, id)));
    }
    return found.appendTail(text).toString();
  }

  private static void attribute(H5Object object) {
    object.setAttribute(Attribute.of("attribute1", 7L));
  }

  @Test
  void figure_1_1_a_file_with_a_group_and_an_attribute() {
    List<String> dump =
        dump(file -> {
          file.createGroup("/G1");
          attribute(file.root());
        });
    assertFigure(
        dump,
        """
        GROUP KV 2000000000000000 "/"
        scratch pad {<mdkv_id>, <attrkv_id>, <leases>, INVALID}
        metadata <mdkv_id>
        "array_ids_index" 1
        "blob_ids_index" 0
        "kv_ids_index" 2
        "object_create_plist" FILE_CREATE
        "object_link_count" 1
        "object_type" GROUP 2
        attributes <attrkv_id>
        "attribute1" <attribute_iod_id>
        links
        "G1" hard <G1_iod_id>
        id leases <leases>
        000100000000000000 8 bytes
        010000000000000000 8 bytes
        """,
        "/");
  }

  @Test
  void figure_1_2_a_group_with_two_children_and_three_attributes() {
    List<String> dump =
        dump(file -> {
          file.createGroup("/G1");
          file.createDataset("/G1/D1", DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(4));
          file.createGroup("/G1/G2");
          for (int i = 1; i <= 3; i++) {
            file.group("/G1").setAttribute(Attribute.of("attribute" + i, (long) i));
          }
        });
    assertFigure(
        dump,
        """
        GROUP <G1_iod_id> "/G1"
        scratch pad {<mdkv_id>, <attrkv_id>, INVALID, INVALID}
        metadata <mdkv_id>
        "object_create_plist" GROUP_CREATE
        "object_link_count" 1
        "object_type" GROUP 2
        attributes <attrkv_id>
        "attribute1" <attribute1_iod_id>
        "attribute2" <attribute2_iod_id>
        "attribute3" <attribute3_iod_id>
        links
        "D1" hard <D1_iod_id>
        "G2" hard <G2_iod_id>
        GROUP <G2_iod_id> "/G1/G2"
        scratch pad {<mdkv2_id>, <attrkv2_id>, INVALID, INVALID}
        metadata <mdkv2_id>
        "object_create_plist" GROUP_CREATE
        "object_link_count" 1
        "object_type" GROUP 2
        attributes <attrkv2_id>
        links
        """,
        "/G1",
        "/G1/G2");
  }

  @Test
  void figure_1_3_a_dataset_of_integers_in_two_tiles() {
    List<String> dump =
        dump(file -> {
          var dataset =
              file.createDataset("/D", DatasetSpec.of(Datatype.I32, Shape.of(4, 4)).chunked(2, 4));
          dataset.write(
              Selection.all(),
              new int[] {0, 25, 6, 8, 7, 90, 26, 78, 87, 676, 87, 56, 46, 67, 87, 56});
          attribute(dataset);
        });
    assertFigure(
        dump,
        """
        DATASET <did> "/D"
        scratch pad {<mdkv_id>, <attrkv_id>, INVALID, INVALID}
        metadata <mdkv_id>
        "object_create_plist" DATASET_CREATE
        "object_dataspace" simple 4x4
        "object_datatype" i32
        "object_link_count" 1
        "object_type" DATASET 5
        attributes <attrkv_id>
        "attribute1" <attribute_iod_id>
        tiles
        0 32 bytes 00000000190000000600000008000000070000005a0000001a0000004e000000
        1 32 bytes 57000000a402000057000000380000002e000000430000005700000038000000
        """,
        "/D");
  }

  @Test
  void figure_1_3_cells_of_variable_length_are_blobs() {
    List<String> dump =
        dump(file ->
            file.createDataset(
                    "/V",
                    DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(2))
                        .chunked(2))
                .write(Selection.all(), new String[] {"variable", "length"}));
    // Two cells: the identifier of a BLOB and the number of its bytes.
    assertFigure(
        dump,
        """
        DATASET <did> "/V"
        scratch pad {<mdkv_id>, <attrkv_id>, INVALID, INVALID}
        metadata <mdkv_id>
        "object_create_plist" DATASET_CREATE
        "object_dataspace" simple 2
        "object_datatype" vlstring
        "object_link_count" 1
        "object_type" DATASET 5
        attributes <attrkv_id>
        tiles
        0 32 bytes 00000000000000a0080000000000000001000000000000a00600000000000000
        """,
        "/V");
  }

  @Test
  void figure_1_4_a_named_datatype() {
    List<String> dump = dump(file -> attribute(file.createDatatype("/T", Datatype.I32)));
    assertFigure(
        dump,
        """
        DATATYPE <dtid> "/T"
        scratch pad {<mdkv_id>, <attrkv_id>, INVALID, INVALID}
        metadata <mdkv_id>
        "object_create_plist" DATATYPE_CREATE
        "object_link_count" 1
        "object_type" DATATYPE 3
        "serialized_size" 14
        attributes <attrkv_id>
        "attribute1" <attribute_iod_id>
        content 14 bytes 0300100800000400000000002000
        """,
        "/T");
  }

  @Test
  void figure_1_5_an_attribute_has_no_attributes() {
    List<String> dump = dump(file -> attribute(file.createGroup("/G")));
    assertFigure(
        dump,
        """
        ATTRIBUTE <did> "/G@attribute1"
        scratch pad {<mdkv_id>, INVALID, INVALID, INVALID}
        metadata <mdkv_id>
        "object_create_plist" ATTRIBUTE_CREATE
        "object_dataspace" scalar
        "object_datatype" i64
        "object_type" ATTRIBUTE 7
        tiles
        0 8 bytes 0700000000000000
        """,
        "/G@attribute1");
  }

  @Test
  void figure_1_6_a_map_with_two_pairs_and_an_attribute() {
    List<String> dump =
        dump(file -> {
          var map =
              file.createMap("/M1", Datatype.I32, VariableLength.string(CharacterSet.UTF8))
                  .typed(Integer.class, String.class);
          map.put(1, "one");
          map.put(2, "two");
          attribute(map.map());
        });
    assertFigure(
        dump,
        """
        MAP <M1_iod_id> "/M1"
        scratch pad {<mdkv_id>, <attrkv_id>, INVALID, INVALID}
        metadata <mdkv_id>
        "map_keytype" i32
        "map_valtype" vlstring
        "object_create_plist" MAP_CREATE
        "object_link_count" 1
        "object_type" MAP 6
        attributes <attrkv_id>
        "attribute1" <attribute_iod_id>
        pairs
        01000000 3 bytes 6f6e65
        02000000 3 bytes 74776f
        """,
        "/M1");
  }
}
