package io.skerry.integration.interop;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Lists the exact datatype of each dataset and attribute by path, including the details that
 * canonical names omit, and the filters of each dataset.
 */
final class ExactTypes {
  private final StringJoiner types = new StringJoiner(",\n", "{", "}");
  private final Set<Long> seen = new HashSet<>();

  private ExactTypes() {}

  /** Writes OUT/0.json, OUT/1.json, ...: JSON objects that map each path to its datatype. */
  static void write(Path out, List<Path> files) throws IOException {
    for (int i = 0; i < files.size(); i++) {
      ExactTypes found = new ExactTypes();
      try (H5File file = H5File.open(files.get(i))) {
        found.group(file.root());
      }
      Files.writeString(out.resolve(i + ".json"), found.types.toString());
    }
  }

  private void group(Group group) {
    boolean unused = seen.add(group.address());
    object(group);
    for (Group.Link link : group.links()) {
      if (link instanceof Group.Hard hard && seen.add(hard.address())) {
        switch (group.child(hard)) {
          case Group below -> group(below);
          case Dataset dataset -> {
            put(
                dataset.path(),
                dataset.datatype() + " " + dataset.storage().filters() + " " + array(dataset));
            object(dataset);
          }
          case H5Object _ -> {
            // A committed datatype has no values.
          }
        }
      }
    }
  }

  /** Returns the property of an extensible array index that jHDF does not support; "" for none. */
  private static String array(Dataset dataset) {
    if (!dataset.storage().index().startsWith("ExtensibleArray")) {
      return "";
    }
    List<Long> chunk = dataset.storage().chunk();
    Shape shape = dataset.shape();
    long entries = 1;
    for (int d = 0; d < chunk.size(); d++) {
      boolean grows = shape.maximum(d) == Shape.UNLIMITED;
      if (grows && d > 0) {
        return "array grown sideways";
      }
      entries *= Math.ceilDiv(grows ? shape.extent(d) : shape.maximum(d), chunk.get(d));
    }
    return dataset.usage().chunks() < entries ? "array with gaps" : "";
  }

  private void object(H5Object object) {
    for (Attribute attribute : object.attributes()) {
      put(object.path() + "@" + attribute.name(), attribute.datatype());
    }
  }

  private void put(String path, Object type) {
    types.add(JhdfDigests.quoted(path) + ": " + JhdfDigests.quoted(type.toString()));
  }
}
