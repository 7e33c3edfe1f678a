package io.skerry.internal.log;

import io.skerry.Attribute;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import io.skerry.spi.StoredAttributes;
import io.skerry.value.Value;
import java.util.List;

/**
 * Attributes that forward and log all calls.
 *
 * @param below the attributes to which calls are forwarded
 * @param path the path of their object
 * @param file the file that contains the object
 */
record LoggedAttributes(StoredAttributes below, String path, LoggedFile file)
    implements StoredAttributes {

  @Override
  public List<Attribute> all() {
    return file.calls().call("attributes of " + path, below::all);
  }

  @Override
  public void set(Attribute attribute) {
    change("set", attribute.name() + " type=" + attribute.datatype(), () -> below.set(attribute));
  }

  @Override
  public void set(String name, Datatype type, Shape shape, List<Value> values) {
    change("set", name + " type=" + type, () -> below.set(name, type, shape, values));
  }

  @Override
  public void set(String name, String typePath, Shape shape, List<Value> values) {
    change("set", name + " type=" + typePath, () -> below.set(name, typePath, shape, values));
  }

  @Override
  public void delete(String name) {
    change("delete", name, () -> below.delete(name));
  }

  @Override
  public void rename(String from, String to) {
    change("rename", from + " to=" + to, () -> below.rename(from, to));
  }

  private void change(String verb, String what, Runnable step) {
    file.calls().run(verb + " attribute of " + path + " name=" + what, step);
  }
}
