package io.skerry.jobs.lcls;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A flag that is set when this process receives the signal {@value #NAME}. Slurm can send the
 * signal shortly before the time limit of a job, and mpirun and srun forward it to the ranks. The
 * handler only sets the flag: the ranks must agree on when to stop, and MPI must not be called from
 * a signal handler.
 *
 * <p>Java can receive signals only through {@code sun.misc.Signal}. The compiler warns about any
 * use of this class, and the warning cannot be suppressed, so the class is used through reflection.
 */
final class StopSignal implements BooleanSupplier, AutoCloseable {
  private static final String NAME = "USR1";

  private final AtomicBoolean received = new AtomicBoolean();
  private final Object before;

  private StopSignal() throws ReflectiveOperationException {
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    before =
        handle(
            Proxy.newProxyInstance(
                StopSignal.class.getClassLoader(),
                new Class<?>[] {handler},
                (_, method, _) -> {
                  if (!method.getName().equals("handle")) {
                    throw new UnsupportedOperationException(method.getName());
                  }
                  received.set(true);
                  return null;
                }));
  }

  /**
   * Installs the signal handler. Without a handler, the signal terminates the process, unless the
   * parent process had set the signal to be ignored.
   */
  static StopSignal listen() {
    try {
      return new StopSignal();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java receives no signals: name=" + NAME, e);
    }
  }

  private static Object handle(Object handler) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    return signal
        .getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"))
        .invoke(null, signal.getConstructor(String.class).newInstance(NAME), handler);
  }

  @Override
  public boolean getAsBoolean() {
    return received.get();
  }

  @Override
  public void close() {
    try {
      handle(before);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the signal cannot be left: name=" + NAME, e);
    }
  }
}
