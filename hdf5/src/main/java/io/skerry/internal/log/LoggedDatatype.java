package io.skerry.internal.log;

import io.skerry.datatype.Datatype;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredDatatype;

/**
 * A named datatype that forwards its calls; only calls on its attributes are logged.
 *
 * @param below the datatype to which calls are forwarded
 * @param file the file that contains the datatype
 */
record LoggedDatatype(StoredDatatype below, LoggedFile file) implements StoredDatatype {
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
  public Datatype datatype() {
    return below.datatype();
  }

  @Override
  public LoggedAttributes attributes() {
    return new LoggedAttributes(below.attributes(), path(), file);
  }
}
