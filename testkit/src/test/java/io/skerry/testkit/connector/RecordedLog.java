package io.skerry.testkit.connector;

import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log that keeps its lines in memory. Ranks that run as threads can write concurrently. */
final class RecordedLog implements System.Logger {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public String getName() {
    return "recorded";
  }

  @Override
  public boolean isLoggable(Level level) {
    return true;
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
    lines.add(message);
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... arguments) {
    // A line without arguments is not a format string, so it is kept unchanged.
    lines.add(format);
  }
}
