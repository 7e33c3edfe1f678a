package io.skerry.connector.log;

import io.skerry.Attribute;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.connector.StoredObject;
import io.skerry.value.Value;
import java.util.List;

/**
 * What the logged objects of every kind do in the same way.
 *
 * @param below the object that does the work
 * @param file the file that it is in
 */
record LoggedAttributes(StoredObject below, LoggedFile file) {

  List<Attribute> all() {
    return file.calls().call("attributes of " + below.path(), below::attributes);
  }

  void set(Attribute attribute) {
    change(
        "set",
        attribute.name() + " type=" + attribute.datatype(),
        () -> below.setAttribute(attribute));
  }

  void set(String name, Datatype type, Shape shape, List<Value> values) {
    change("set", name + " type=" + type, () -> below.setAttribute(name, type, shape, values));
  }

  void set(String name, String typePath, Shape shape, List<Value> values) {
    change(
        "set", name + " type=" + typePath, () -> below.setAttribute(name, typePath, shape, values));
  }

  void delete(String name) {
    change("delete", name, () -> below.deleteAttribute(name));
  }

  void rename(String from, String to) {
    change("rename", from + " to=" + to, () -> below.renameAttribute(from, to));
  }

  private void change(String verb, String what, Runnable step) {
    file.calls().run(verb + " attribute of " + below.path() + " name=" + what, step);
  }
}
