package io.skerry.mpi.internal.openmpi;

import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.jar.JarClasses;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/** The methods of Open MPI's Java bindings for files and their hints. */
final class FileApi {
  private static final String FILE = "mpi.File";
  private static final String INFO = "mpi.Info";

  final MethodHandle view;
  final MethodHandle write;
  final MethodHandle read;
  final MethodHandle resize;
  final MethodHandle sync;
  final MethodHandle close;

  private final JarClasses classes;

  FileApi(JarClasses classes) {
    this.classes = classes;
    var datatype = classes.named("mpi.Datatype");
    var status = classes.named("mpi.Status");
    view =
        classes.method(FILE, "setView", void.class, long.class, datatype, datatype, String.class);
    write =
        classes.method(FILE, "writeAtAll", status, long.class, Object.class, int.class, datatype);
    read = classes.method(FILE, "readAtAll", status, long.class, Object.class, int.class, datatype);
    resize = classes.method(FILE, "setSize", void.class, long.class);
    sync = classes.method(FILE, "sync", void.class);
    close = classes.method(FILE, "close", void.class);
  }

  /** Opens a file. Collective. */
  Object open(Object communicator, String path, OpenMode mode, Map<String, String> hints)
      throws Throwable {
    var comm = classes.named("mpi.Comm");
    var access =
        (int) classes.constant("mpi.MPI", mode == OpenMode.READ ? "MODE_RDONLY" : "MODE_RDWR");
    var open = classes.constructor(FILE, comm, String.class, int.class, classes.named(INFO));
    Object info;
    try {
      info = info(hints);
    } catch (Throwable t) {
      // The other ranks would wait for this rank in the collective open, so it opens the file
      // without hints. The caller ensures that all ranks agree not to use the file.
      var none = classes.constant("mpi.MPI", "INFO_NULL");
      var unused = (Object) open.invokeExact(communicator, path, access, none);
      throw t;
    }
    try {
      return (Object) open.invokeExact(communicator, path, access, info);
    } finally {
      if (!hints.isEmpty()) {
        classes.method(INFO, "free", void.class).invokeExact(info);
      }
    }
  }

  private Object info(Map<String, String> hints) throws Throwable {
    if (hints.isEmpty()) {
      return classes.constant("mpi.MPI", "INFO_NULL");
    }
    var info = (Object) classes.constructor(INFO).invokeExact();
    var set = classes.method(INFO, "set", void.class, String.class, String.class);
    for (var hint : hints.entrySet()) {
      set.invokeExact(info, hint.getKey(), hint.getValue());
    }
    return info;
  }
}
