package io.skerry.internal.log;

import io.skerry.Group;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredGroup;
import io.skerry.spi.StoredObject;
import java.util.List;

/**
 * A group that forwards its calls and logs them, except for cheap local calls.
 *
 * @param below the group to which calls are forwarded
 * @param file the file that contains the group
 */
record LoggedGroup(StoredGroup below, LoggedFile file) implements StoredGroup {
  @Override
  public String path() {
    return below.path();
  }

  @Override
  public ObjectPath location() {
    return below.location();
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
  public LoggedAttributes attributes() {
    return new LoggedAttributes(below.attributes(), path(), file);
  }
}
