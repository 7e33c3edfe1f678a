package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A file that some ranks change round by round, so that after each flush all of its objects show
 * the same round.
 *
 * @param file the file
 * @param rank the number of this rank
 * @param ranks the number of ranks
 */
record RoundFile(H5File file, int rank, int ranks) {
  private static final int ELEMENTS = 240;
  private static final int TEXTS = 12;
  private static final int PAIRS = 16;

  /** The lengths of texts differ from round to round; some have several blocks. */
  private static final int LONGEST = 1_200_000;

  /** Creates the objects of round 0. Collective. */
  void create() {
    DatasetSpec numbers = DatasetSpec.of(Datatype.I64, Shape.of(ELEMENTS));
    file.createDataset("/dense", numbers.chunked(16));
    file.createDataset("/filtered", numbers.chunked(50).filters(Filters.deflate(1)));
    file.createDataset("/sparse", numbers.sparse(30));
    file.createDataset(
        "/texts",
        DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(TEXTS)).chunked(4));
    file.createMap("/map", Datatype.I32, Datatype.I64);
    file.createGroup("/groups");
    write(0);
  }

  /** Changes all objects. Collective. */
  void write(long round) {
    int count = (ELEMENTS - rank + ranks - 1) / ranks;
    long[] numbers = new long[count];
    Arrays.fill(numbers, round);
    Selection own = Selection.at(rank).stride(ranks).count(count);
    for (String name : List.of("/dense", "/filtered", "/sparse")) {
      file.dataset(name).write(own, numbers);
    }
    int texts = (TEXTS - rank + ranks - 1) / ranks;
    String[] text = new String[texts];
    Arrays.fill(text, text(round));
    file.dataset("/texts").write(Selection.at(rank).stride(ranks).count(texts), text);
    Map<Integer, Long> pairs = new HashMap<>();
    for (int key = rank; key < PAIRS; key += ranks) {
      pairs.put(key, round);
    }
    map().putAll(pairs);
    file.createGroup("/groups/" + round).setAttribute(Attribute.of("round", round));
    if (round > 1) {
      file.unlink("/groups/" + (round - 2));
    }
    file.root().setAttribute(Attribute.of("round", round));
  }

  private MapObject.Typed<Integer, Long> map() {
    return file.map("/map").typed(Integer.class, Long.class);
  }

  private static String text(long round) {
    int length = round % 7 == 3 ? LONGEST : (int) (round % 50);
    return round + " " + "x".repeat(length);
  }

  /** Returns the round of the file, after a check that all objects show the same. */
  long round() {
    long round = file.root().attribute("round").orElseThrow().longs()[0];
    long[] expected = new long[ELEMENTS];
    Arrays.fill(expected, round);
    for (String name : List.of("/dense", "/filtered", "/sparse")) {
      assertEquals(
          Arrays.toString(expected),
          Arrays.toString(file.dataset(name).readLongs(Selection.all())),
          name);
    }
    for (String text : file.dataset("/texts").readStrings(Selection.all())) {
      assertTrue(text.equals(text(round)), () -> "round " + round + ": " + head(text));
    }
    for (int key = 0; key < PAIRS; key++) {
      assertEquals(round, map().get(key).orElseThrow(), "pair " + key);
    }
    TreeSet<String> names = new TreeSet<>();
    file.group("/groups").links().stream().map(Group.Link::name).forEach(names::add);
    assertEquals(
        round == 0
            ? new TreeSet<>(List.of("0"))
            : new TreeSet<>(List.of(String.valueOf(round - 1), String.valueOf(round))),
        names);
    return round;
  }

  private static String head(String text) {
    return text.substring(0, Math.min(text.length(), 20));
  }
}
