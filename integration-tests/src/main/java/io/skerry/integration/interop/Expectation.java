package io.skerry.integration.interop;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.NamedDatatype;
import io.skerry.datatype.Datatype;
import io.skerry.integration.interop.ExpectedObject.ExpectedAttribute;
import io.skerry.integration.interop.ExpectedObject.ExpectedDataset;
import io.skerry.integration.interop.ExpectedObject.ExpectedGroup;
import io.skerry.integration.interop.ExpectedObject.ExpectedType;
import io.skerry.integration.random.ValueComparison;
import io.skerry.internal.value.ValueReader;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The expected content of a file, beginning with its root group. */
public final class Expectation {
  private final ExpectedGroup root;

  Expectation(ExpectedGroup root) {
    this.root = root;
  }

  /** Returns the first difference between the file and the expected content. */
  Optional<String> difference(H5File file) {
    return new Comparison(file).object("/", root, file.root());
  }

  /** The comparison with one file. */
  private record Comparison(H5File file, Map<ExpectedObject, Long> seen) {
    Comparison(H5File file) {
      this(file, new IdentityHashMap<>());
    }

    Optional<String> object(String path, ExpectedObject expected, H5Object found) {
      Optional<String> attributes = attributes(path, expected, found.attributes());
      if (attributes.isPresent()) {
        return attributes;
      }
      return switch (expected) {
        case ExpectedGroup group when found instanceof Group actual -> links(path, group, actual);
        case ExpectedDataset dataset when found instanceof Dataset actual ->
            elements(path, dataset, actual);
        case ExpectedType type when found instanceof NamedDatatype actual ->
            same(path + " type", type.type, actual.datatype());
        default -> Optional.of(path + ": another kind: " + found);
      };
    }

    private Optional<String> links(String path, ExpectedGroup expected, Group found) {
      Set<String> names = new TreeSet<>(found.links().stream().map(Group.Link::name).toList());
      if (!names.equals(expected.links.keySet())) {
        Set<String> extra = new TreeSet<>(names);
        extra.removeAll(expected.links.keySet());
        Set<String> missing = new TreeSet<>(expected.links.keySet());
        missing.removeAll(names);
        return Optional.of(path + ": links missing " + missing + " not expected " + extra);
      }
      for (Group.Link link : found.links()) {
        Optional<String> difference =
            link(found.childPath(link.name()), expected.link(link.name()), link, found);
        if (difference.isPresent()) {
          return difference;
        }
      }
      return Optional.empty();
    }

    private Optional<String> link(
        String path, ExpectedObject.Entry expected, Group.Link link, Group in) {
      return switch (expected) {
        case ExpectedObject.Soft(String target) ->
            same(path, new Group.Soft(link.name(), target), link);
        case ExpectedObject.External(String other, String target) ->
            same(path, new Group.External(link.name(), other, target), link);
        case ExpectedObject.Hard(ExpectedObject object) when link instanceof Group.Hard hard -> {
          Optional<Long> before = Optional.ofNullable(seen.put(object, hard.address()));
          yield before.isPresent()
              ? same(path + " address", before.get(), hard.address())
              : object(path, object, in.child(hard));
        }
        default -> Optional.of(path + ": another kind of link: " + link);
      };
    }

    private Optional<String> attributes(
        String path, ExpectedObject expected, List<Attribute> found) {
      Set<String> names = new TreeSet<>(found.stream().map(Attribute::name).toList());
      if (!names.equals(expected.attributes.keySet())) {
        return Optional.of(
            path + ": attributes " + names + " expected " + expected.attributes.keySet());
      }
      for (Attribute attribute : found) {
        ExpectedAttribute wanted = expected.attribute(attribute.name());
        String at = path + "@" + attribute.name() + " of type " + wanted.type();
        List<Value> values = attribute.values(file.contents());
        boolean same =
            wanted.type().equals(attribute.datatype())
                && wanted.shape().isEmpty() == attribute.isNull()
                && ValueComparison.all(wanted.values(), values);
        if (!same) {
          return Optional.of(at + ": expected " + wanted + " but " + values);
        }
      }
      return Optional.empty();
    }

    private Optional<String> elements(String path, ExpectedDataset expected, Dataset found) {
      Datatype type = expected.type;
      Optional<String> difference = same(path + " type", type, found.datatype());
      if (difference.isPresent() || expected.isNull) {
        return difference.isPresent() ? difference : same(path, true, found.isNull());
      }
      if (!expected.shape().equals(found.shape())) {
        return same(path + " shape", expected.shape(), found.shape());
      }
      Value zeros =
          new ValueReader(file.contents())
              .readAll(type, MemorySegment.ofArray(new byte[type.size()]), 1)
              .getFirst();
      List<Value> wanted = expected.elements(zeros);
      List<Value> values = found.readValues(Selection.all());
      for (int i = 0; i < wanted.size(); i++) {
        if (!ValueComparison.test(wanted.get(i), values.get(i))) {
          return same(
              path + " element " + i + " of type " + type + " " + found.storage(),
              wanted.get(i),
              values.get(i));
        }
      }
      return Optional.empty();
    }

    private static Optional<String> same(String what, Object expected, Object found) {
      return expected.equals(found)
          ? Optional.empty()
          : Optional.of(what + ": expected " + expected + " but " + found);
    }
  }
}
