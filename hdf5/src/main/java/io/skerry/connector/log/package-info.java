/**
 * A connector that forwards every call to another one and logs it: to see what a program asks for,
 * and to start from when writing a connector. It stores nothing. Start at {@link
 * io.skerry.connector.log.LoggingConnector}.
 */
package io.skerry.connector.log;
