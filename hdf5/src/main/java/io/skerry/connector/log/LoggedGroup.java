package io.skerry.connector.log;

import io.skerry.Attribute;
import io.skerry.Group;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.connector.StoredGroup;
import io.skerry.connector.StoredObject;
import io.skerry.value.Value;
import java.util.List;

/**
 * A group whose calls are logged.
 *
 * @param below the group that does the work
 * @param file the file that it is in
 */
record LoggedGroup(StoredGroup below, LoggedFile file) implements StoredGroup {
  @Override
  public String path() {
    return below.path();
  }

  @Override
  public LoggedFile file() {
    return file;
  }

  @Override
  public long address() {
    return below.address();
  }

  @Override
  public List<Group.Link> links() {
    return file.calls().call("links of " + path(), below::links);
  }

  @Override
  public StoredObject child(Group.Hard link) {
    return file.calls()
        .call("child of " + path() + " name=" + link.name(), () -> file.wrap(below.child(link)));
  }

  @Override
  public List<Attribute> attributes() {
    return new LoggedAttributes(below, file).all();
  }

  @Override
  public void setAttribute(Attribute attribute) {
    new LoggedAttributes(below, file).set(attribute);
  }

  @Override
  public void setAttribute(String name, Datatype type, Shape shape, List<Value> values) {
    new LoggedAttributes(below, file).set(name, type, shape, values);
  }

  @Override
  public void setAttribute(String name, String typePath, Shape shape, List<Value> values) {
    new LoggedAttributes(below, file).set(name, typePath, shape, values);
  }

  @Override
  public void deleteAttribute(String name) {
    new LoggedAttributes(below, file).delete(name);
  }

  @Override
  public void renameAttribute(String from, String to) {
    new LoggedAttributes(below, file).rename(from, to);
  }
}
