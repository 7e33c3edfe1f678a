package io.skerry.integration.interop.written;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Expectations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds nested groups, links of each kind, and so many attributes and links that object headers are
 * extended several times.
 */
final class DecoratedFile {
  private static final int LINKS_PER_STEP = 40;
  private static final int ATTRIBUTES_PER_STEP = 30;

  private DecoratedFile() {}

  static void decorate(H5File file, int step) {
    if (step == 0) {
      file.createGroup("/a/b/c/d/e/f");
      file.createSoftLink("/a/soft", "/dense/single");
      file.createSoftLink("/a/b/dangling", "nowhere/at all");
      file.createExternalLink("/a/b/external", "other.h5", "/there/is it");
      file.createGroup("/attributes");
      file.createGroup("/links");
    }
    for (int i = 0; i < LINKS_PER_STEP; i++) {
      file.createGroup("/links/" + linkName(step, i));
    }
    Group group = file.group("/attributes");
    attributes(step).values().forEach(group::setAttribute);
  }

  static void decorate(Dataset dataset, int step) {
    dataset.setAttribute(Attribute.of("units", "ADU".repeat(step * 60 + 1)));
    dataset.setAttribute(Attribute.of("step " + step, step + 0.25));
  }

  static void expectDecorated(Expectations expected, String path, int steps) {
    expected.text(path, "units", "ADU".repeat((steps - 1) * 60 + 1));
    for (int step = 0; step < steps; step++) {
      expect(expected, path, Attribute.of("step " + step, step + 0.25));
    }
  }

  static void expectDecorated(Expectations expected, int steps) {
    Map<String, Attribute> attributes = new LinkedHashMap<>();
    for (int step = 0; step < steps; step++) {
      attributes.putAll(attributes(step));
    }
    expected
        .group("/a/b/c/d/e/f", 0, 0)
        .group("/links", LINKS_PER_STEP * steps, 0)
        .group("/attributes", 0, attributes.size())
        .soft("/a/soft", "/dense/single")
        .soft("/a/b/dangling", "nowhere/at all")
        .external("/a/b/external", "other.h5", "/there/is it");
    for (int step = 0; step < steps; step++) {
      for (int i = 0; i < LINKS_PER_STEP; i++) {
        expected.group("/links/" + linkName(step, i), 0, 0);
      }
    }
    attributes.values().forEach(attribute -> expect(expected, "/attributes", attribute));
  }

  private static void expect(Expectations expected, String path, Attribute attribute) {
    String dtype =
        attribute.datatype().toString().startsWith("string")
            ? "|S" + attribute.datatype().size()
            : attribute.datatype().toString().startsWith("f") ? "<f8" : "<i8";
    Shape shape = attribute.shape();
    expected.attribute(path, attribute.name(), dtype, shape, attribute.bytes());
  }

  private static String linkName(int step, int number) {
    return "member " + step + "." + number + "é".repeat(number % 7);
  }

  private static Map<String, Attribute> attributes(int step) {
    Map<String, Attribute> made = new LinkedHashMap<>();
    for (int i = 0; i < ATTRIBUTES_PER_STEP; i++) {
      String name = "a" + step + "." + i;
      long[] numbers = new long[i * (step + 1)];
      java.util.Arrays.setAll(numbers, k -> Long.MIN_VALUE + k);
      List<Attribute> choice =
          List.of(
              Attribute.of(name, "größe " + "x".repeat(i * 3)),
              Attribute.of(name, (long) -i),
              Attribute.of(name, Math.exp(i)),
              Attribute.of(name, numbers),
              Attribute.of(name, new double[] {i, Double.NaN, -0.0}));
      made.put(name, choice.get(i % choice.size()));
    }
    made.put("grows", Attribute.of("grows", new double[1 + step * 500]));
    made.put("empty", Attribute.of("empty", ""));
    return made;
  }
}
