package dev.quickwater.io.posix;

/// The process at the other end of a Unix socket, verified by the kernel.
///
/// @param processId the process ID
/// @param userId the effective user ID
/// @param groupId the effective group ID
public record PeerCredentials(int processId, int userId, int groupId) {}
